import { runProcess } from "@codex-js/cli-kit";
import { ensureRuntime, findWorkspaceTools, runtimeSpecs } from "@codex-js/smoke";
import { createChildEnv } from "./child-env.ts";
import { listOption, type OptionSpec, type ScenarioContext } from "./scenario.ts";

/** A runtime that is on disk. */
export interface BenchRuntime {
  /** `node24`, `bun`. */
  id: string;
  kind: "node" | "bun";
  /** Absolute. */
  executable: string;
  /** As the runtime says it, without a leading `v`. */
  version: string;
}

export const runtimesOption: OptionSpec = {
  name: "runtimes",
  kind: "list",
  description: "what to measure on: ids of the runtimes table, or id=EXECUTABLE for one of your own",
  // Workers are TypeScript, which Node 20 does not run.
  default: runtimeSpecs.map(({ id }) => id).filter((id) => id !== "node20"),
  short: ["node24", "bun"],
};

/**
 * The runtimes that `--runtimes` names; the ones that the workspace lacks are fetched into the cache.
 * @throws ToolError CODEX_JS_SMOKE_UNKNOWN_RUNTIME (usage), CODEX_JS_PROCESS_FAILED (external)
 */
export async function provideRuntimes(context: ScenarioContext): Promise<BenchRuntime[]> {
  const runtimes: BenchRuntime[] = [];
  for (const text of listOption(context, "runtimes")) {
    const [id = "", executable] = text.split("=", 2);
    runtimes.push(
      executable === undefined
        ? await ensureRuntime(id, { context, cacheDir: context.cacheDir })
        : await describeOwn(id, executable, context),
    );
  }
  return runtimes;
}

/** The workspace's Bun. @throws ToolError CODEX_JS_SMOKE_NOT_INSTALLED (usage) */
export function findBun(): string {
  return findWorkspaceTools(process.platform).bun.executable;
}

async function describeOwn(id: string, executable: string, context: ScenarioContext): Promise<BenchRuntime> {
  const { stdout } = await runProcess(executable, ["--version"], {
    cwd: context.root,
    env: createChildEnv(context.env),
    signal: context.signal,
  });
  const kind = id.startsWith("bun") ? "bun" : "node";
  return { id, kind, executable, version: stdout.trim().replace(/^v/, "") };
}
