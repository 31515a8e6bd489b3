import type { ToolError } from "@codex-js/cli-kit";
import type { DownloadPolicy } from "../limits.ts";

/** An attempt that failed in a way that the next one may not. */
export class AttemptFailure extends Error {
  readonly kind: keyof DownloadPolicy["maxAttempts"];
  /** What the user reads if it was the last. */
  readonly error: ToolError;
  /** How long the server wants to be left alone; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: AttemptFailure["kind"], error: ToolError, retryAfterMs?: number) {
    super(error.message, { cause: error });
    this.name = "AttemptFailure";
    this.kind = kind;
    this.error = error;
    this.retryAfterMs = retryAfterMs;
  }
}
