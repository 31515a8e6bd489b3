import { resolve } from "node:path";
import { exitCodes, ToolError } from "./errors.ts";

/**
 * Resolves a path of the command line against `cwd`. An empty one, which is what an unset shell variable
 * gives, would be `cwd` itself.
 * @param flag for the message, `--out`
 * @throws ToolError CODEX_JS_CLI_EMPTY_PATH (usage)
 */
export function resolveUserPath(cwd: string, flag: string, path: string): string {
  if (path.trim() !== "") return resolve(cwd, path);
  throw new ToolError({
    code: "CODEX_JS_CLI_EMPTY_PATH",
    message: `${flag} is empty, expected a path`,
    hint: `give ${flag} a path, or leave it out`,
    exitCode: exitCodes.usage,
  });
}
