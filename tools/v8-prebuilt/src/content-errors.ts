import { formatBytes, type ToolError } from "@codex-js/cli-kit";
import { v8Error } from "./v8-error.ts";

/** What a whole file is, or has to be: then without a size where none is known. */
export interface Content {
  sha256: string;
  sizeBytes?: number | undefined;
}

/** What is wrong with a whole file; undefined where it is what the lock pins. */
export function findContentError(where: string, expected: Content, received: Content): ToolError | undefined {
  const { sha256, sizeBytes } = expected;
  if (received.sha256 === sha256 && (sizeBytes === undefined || received.sizeBytes === sizeBytes)) return;
  const size = sizeBytes === undefined ? "" : ` and ${sizeBytes} B`;
  return v8Error(
    "CODEX_JS_V8_DIGEST",
    `${where} is not what the lock pins: expected SHA-256 ${sha256}${size}, received ${received.sha256} and ${received.sizeBytes} B`,
    { hint: "a mirror of other bytes needs its own lock: --lock, CODEX_JS_V8_LOCK" },
  );
}

/** @throws ToolError CODEX_JS_V8_SIZE */
export function checkSize(sizeBytes: number, limitBytes: number, isExact: boolean, where: string): void {
  if (sizeBytes <= limitBytes) return;
  const limit = isExact ? `the lock says ${limitBytes} B` : `the limit is ${formatBytes(limitBytes)}`;
  throw v8Error("CODEX_JS_V8_SIZE", `${where} has more bytes than expected: ${limit}`, {
    hint: "see that the lock and the mirror belong together",
  });
}
