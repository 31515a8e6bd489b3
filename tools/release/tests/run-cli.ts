import { join } from "node:path";
import { type ChildResult, runNode } from "@codex-js/cli-kit";

const cli = join(import.meta.dirname, "..", "src", "cli.ts");

/** Runs the real command in a workspace; its exit code is a result. */
export function runRelease(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildResult> {
  return runNode(cli, args, { cwd, env: { ...process.env, ...env }, okExitCodes: "any" });
}
