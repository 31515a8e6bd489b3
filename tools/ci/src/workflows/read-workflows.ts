import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

interface WorkflowStep {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface WorkflowJob {
  needs?: string | string[];
  permissions?: Record<string, string>;
  "runs-on": string;
  "timeout-minutes"?: number;
  environment?: string;
  env?: Record<string, string>;
  strategy?: { matrix: { os?: string[]; include?: string | Record<string, string>[] } };
  outputs?: Record<string, string>;
  steps: WorkflowStep[];
}

export interface Workflow {
  /** `ci.yml`. */
  file: string;
  text: string;
  on: Record<string, unknown>;
  permissions?: unknown;
  concurrency?: { group: string };
  defaults?: { run?: { shell?: string } };
  jobs: Record<string, WorkflowJob>;
}

/** Every workflow of the repository, as GitHub would read it. */
export function readWorkflows(root: string): Workflow[] {
  const dir = join(root, ".github", "workflows");
  return readdirSync(dir)
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(join(dir, file), "utf8");
      return { ...(parse(text) as Omit<Workflow, "file" | "text">), file, text };
    });
}
