/**
 * What a {@link CodexError} is about:
 *
 * - `ABORT_ERR`: the turn's signal was aborted; `name` is `AbortError`, `cause` the signal's reason
 * - `CODEX_JS_SDK_CONFIG_INVALID`: a value in `config` has no place in TOML
 * - `CODEX_JS_SDK_INPUT_INVALID`: an input entry that the engine would misread
 * - `CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID`: `outputSchema` is not a plain object
 * - `CODEX_JS_SDK_ENGINE_NOT_FOUND`: no engine for this platform is installed
 * - `CODEX_JS_SDK_ENGINE_NOT_STARTED`: the executable could not be started
 * - `CODEX_JS_SDK_ENGINE_EXITED`: the engine ended with an exit code or by a signal; see {@link CodexExitError}
 * - `CODEX_JS_SDK_ENGINE_OUTPUT_INVALID`: the engine printed something that is not JSON
 * - `CODEX_JS_SDK_PROMPT_NOT_READ`: the engine went away before it had read the whole prompt
 * - `CODEX_JS_SDK_TURN_FAILED`: the engine reports that the turn failed
 */
export type CodexErrorCode =
  | "ABORT_ERR"
  | "CODEX_JS_SDK_CONFIG_INVALID"
  | "CODEX_JS_SDK_INPUT_INVALID"
  | "CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID"
  | "CODEX_JS_SDK_ENGINE_NOT_FOUND"
  | "CODEX_JS_SDK_ENGINE_NOT_STARTED"
  | "CODEX_JS_SDK_ENGINE_EXITED"
  | "CODEX_JS_SDK_ENGINE_OUTPUT_INVALID"
  | "CODEX_JS_SDK_PROMPT_NOT_READ"
  | "CODEX_JS_SDK_TURN_FAILED";

/** Every error that this package throws on purpose. */
export class CodexError extends Error {
  /** Stable; tell errors apart by it and not by their message. */
  readonly code: CodexErrorCode;
  /** One thing to do about it, where there is one. */
  readonly hint: string | undefined;

  /** @internal */
  constructor(code: CodexErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "CodexError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** The engine's process ended before the turn did. */
export class CodexExitError extends CodexError {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  /** For example `SIGKILL`; null when the process exited by itself. */
  readonly signal: string | null;
  /** The end of what the engine wrote to stderr, at most 64 KiB. */
  readonly stderr: string;

  /** @internal */
  constructor(end: { exitCode: number | null; signal: string | null; stderr: string }, cause?: unknown) {
    const how = end.signal === null ? `code ${end.exitCode ?? 1}` : `signal ${end.signal}`;
    super("CODEX_JS_SDK_ENGINE_EXITED", `Codex Exec exited with ${how}: ${end.stderr}`, {
      ...findExitHint(end.stderr),
      ...(cause === undefined ? {} : { cause }),
    });
    this.name = "CodexExitError";
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.stderr = end.stderr;
  }
}

/** What can be done about an engine that refused a turn in these words. */
function findExitHint(stderr: string): { hint?: string } {
  if (stderr.includes("Not inside a trusted directory")) {
    return { hint: "set workingDirectory to a git repository, or skipGitRepoCheck: true" };
  }
  if (stderr.includes("no rollout found for thread id")) {
    return { hint: "this CODEX_HOME has no thread of that id" };
  }
  if (/^Error: No such file or directory/m.test(stderr))
    return { hint: "check that workingDirectory exists" };
  if (stderr.includes("No prompt provided via stdin")) return { hint: "the prompt is blank" };
  return {};
}

/** What Node's own child processes reject with when their signal is aborted, with the reason as cause. */
export function createAbortError(signal: AbortSignal): CodexError {
  const error = new CodexError("ABORT_ERR", "The operation was aborted", { cause: signal.reason });
  error.name = "AbortError";
  return error;
}
