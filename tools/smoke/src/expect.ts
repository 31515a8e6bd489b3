import { isDeepStrictEqual } from "node:util";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/** @throws ToolError CODEX_JS_SMOKE_MISMATCH (check failed) that shows both sides */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw createMismatch(`${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
}

export function createMismatch(message: string, cause?: unknown): ToolError {
  return new ToolError({ code: "CODEX_JS_SMOKE_MISMATCH", message, exitCode: exitCodes.checkFailed, cause });
}
