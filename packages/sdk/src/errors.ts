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
 *
 * Only of the engine that stays up:
 *
 * - `CODEX_JS_SDK_ENGINE_TOO_OLD`: it is older than this package needs
 * - `CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED`: it crashed too often to be started once more
 * - `CODEX_JS_SDK_CONNECTION_CLOSED`: the client was closed
 * - `CODEX_JS_SDK_PROTOCOL_VIOLATED`: it sent something that is no message
 * - `CODEX_JS_SDK_MESSAGE_TOO_LONG`: a message is longer than this side allows
 * - `CODEX_JS_SDK_REQUEST_FAILED`, `CODEX_JS_SDK_REQUEST_TIMED_OUT`: it refused a request, or did not answer
 * - `CODEX_JS_SDK_THREAD_LOST`: the thread went away with the engine and cannot be resumed
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
  | "CODEX_JS_SDK_TURN_FAILED"
  | "CODEX_JS_SDK_ENGINE_TOO_OLD"
  | "CODEX_JS_SDK_ENGINE_CRASHED"
  | "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED"
  | "CODEX_JS_SDK_CONNECTION_CLOSED"
  | "CODEX_JS_SDK_PROTOCOL_VIOLATED"
  | "CODEX_JS_SDK_MESSAGE_TOO_LONG"
  | "CODEX_JS_SDK_REQUEST_FAILED"
  | "CODEX_JS_SDK_REQUEST_TIMED_OUT"
  | "CODEX_JS_SDK_THREAD_LOST";

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
  /** The thread whose turn this error ended; undefined for an engine that was there for one turn only. */
  readonly threadId: string | undefined;
  /** The turn's id in the engine's records, where the engine had given it one. */
  readonly turnId: string | undefined;

  /** @internal */
  constructor(end: EngineEnd, cause?: unknown) {
    const how = end.signal === null ? `code ${end.exitCode ?? 1}` : `signal ${end.signal}`;
    super(
      "CODEX_JS_SDK_ENGINE_EXITED",
      `Codex Exec exited with ${how}: ${end.stderr}`,
      cause === undefined ? {} : { cause },
    );
    this.name = "CodexExitError";
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.stderr = end.stderr;
    this.threadId = end.threadId;
    this.turnId = end.turnId;
  }
}

interface EngineEnd {
  exitCode: number | null;
  signal: string | null;
  stderr: string;
  threadId?: string | undefined;
  turnId?: string | undefined;
}

/** The system could not start the engine's executable. */
export function createStartError(cause: Error): CodexError {
  return new CodexError(
    "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    `the engine could not be started: ${cause.message}`,
    { hint: "check that codexPathOverride, if given, names an executable file", cause },
  );
}

/** What Node's own child processes reject with when their signal is aborted, with the reason as cause. */
export function createAbortError(signal: AbortSignal): CodexError {
  const error = new CodexError("ABORT_ERR", "The operation was aborted", { cause: signal.reason });
  error.name = "AbortError";
  return error;
}
