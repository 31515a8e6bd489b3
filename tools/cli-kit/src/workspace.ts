import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { exitCodes, ToolError } from "./errors.ts";

/** The nearest folder at or above `from` that holds pnpm-workspace.yaml. */
export function findWorkspaceRoot(from: string): string {
  for (let dir = from; ; dir = dirname(dir)) {
    if (existsSync(join(dir, "pnpm-workspace.yaml"))) return dir;
    if (dirname(dir) === dir) break;
  }
  throw new ToolError({
    code: "CODEX_JS_CLI_NO_WORKSPACE",
    message: `no pnpm-workspace.yaml at or above ${from}`,
    hint: "run the command inside a clone of the repository",
    exitCode: exitCodes.usage,
  });
}
