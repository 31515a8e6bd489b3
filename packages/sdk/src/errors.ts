import { findExitHint, stripBacktrace } from "./exit-hints.ts";

/**
 * What a {@link CodexError} is about:
 *
 * - `ABORT_ERR`: the turn's signal was aborted; `name` is `AbortError`, `cause` the signal's reason
 * - `CODEX_JS_SDK_CONFIG_INVALID`: a value in `config` has no place in TOML, or an option has none here
 * - `CODEX_JS_SDK_INPUT_INVALID`: no prompt, or an entry that the engine would misread or not find
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
 * - `CODEX_JS_SDK_ENGINE_TOO_OLD`: it is older than the caller asked for
 * - `CODEX_JS_SDK_ENGINE_CRASHED`: it went away by itself; see {@link EngineCrashedError}. A `Thread` makes
 *   `CODEX_JS_SDK_ENGINE_EXITED` of it
 * - `CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED`: it crashed too often to be started once more
 * - `CODEX_JS_SDK_CONNECTION_CLOSED`: the client was closed, or the server's socket went away
 * - `CODEX_JS_SDK_PROTOCOL_VIOLATED`: it sent something that is no message
 * - `CODEX_JS_SDK_MESSAGE_TOO_LONG`: a message is longer than this side or the server allows
 * - `CODEX_JS_SDK_REQUEST_FAILED`: it answered with an error; see {@link RpcError}
 * - `CODEX_JS_SDK_REQUEST_TIMED_OUT`: it did not answer in time; see {@link RequestTimeoutError}
 * - `CODEX_JS_SDK_THREAD_LOST`: the thread went away with the engine and cannot be resumed
 * - `CODEX_JS_SDK_HANDLER_FAILED`: a handler returned nothing, or the code of a warning about one that threw
 * - `CODEX_JS_SDK_THREAD_BUSY`: another program started a turn on the thread at the same moment
 * - `CODEX_JS_SDK_LOGIN_FAILED`: a login that was waited for did not succeed
 *
 * Only of the shared server:
 *
 * - `CODEX_JS_SDK_SHARED_UNSUPPORTED`: there is none on this system
 * - `CODEX_JS_SDK_SHARED_DIR_UNSAFE`: others could get at the folder of its socket
 * - `CODEX_JS_SDK_SHARED_VERSION_MISMATCH`: it runs another version of the engine
 * - `CODEX_JS_SDK_SHARED_CONFIG_CONFLICT`: it was started with other configuration overrides
 * - `CODEX_JS_SDK_SHARED_BUSY`: it is ending or starting for longer than this side waits
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
  | "CODEX_JS_SDK_THREAD_LOST"
  | "CODEX_JS_SDK_HANDLER_FAILED"
  | "CODEX_JS_SDK_THREAD_BUSY"
  | "CODEX_JS_SDK_LOGIN_FAILED"
  | "CODEX_JS_SDK_SHARED_UNSUPPORTED"
  | "CODEX_JS_SDK_SHARED_DIR_UNSAFE"
  | "CODEX_JS_SDK_SHARED_VERSION_MISMATCH"
  | "CODEX_JS_SDK_SHARED_CONFIG_CONFLICT"
  | "CODEX_JS_SDK_SHARED_BUSY";

/** Every error that this package throws on purpose. */
export class CodexError extends Error {
  /** Stable; tell errors apart by it and not by their message. */
  readonly code: CodexErrorCode;
  /** One thing to do about it, where there is one. */
  readonly hint: string | undefined;

  /** @internal */
  constructor(
    code: CodexErrorCode,
    message: string,
    options: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CodexError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** How an engine's process ended. */
export interface EngineExit {
  /** Null when a signal ended the process. */
  exitCode: number | null;
  /** For example `SIGKILL`; null when the process exited by itself. */
  signal: string | null;
  /** The end of what the engine wrote to stderr. */
  stderr: string;
}

/** The engine's process ended before the turn did. */
export class CodexExitError extends CodexError implements EngineExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what the engine wrote to stderr, at most 64 KiB. */
  readonly stderr: string;
  /** The thread whose turn this error ended, where it is known. */
  readonly threadId: string | undefined;
  /** The turn's id in the engine's records, where the engine had given it one. */
  readonly turnId: string | undefined;

  /** @internal */
  constructor(
    end: EngineExit,
    options: {
      code?: CodexErrorCode;
      message?: string;
      hint?: string | undefined;
      cause?: unknown;
      turn?: { threadId: string | undefined; turnId: string | undefined } | undefined;
    } = {},
  ) {
    const { code = "CODEX_JS_SDK_ENGINE_EXITED", cause, turn, hint = findExitHint(end.stderr) } = options;
    const how = end.signal === null ? `code ${end.exitCode ?? 1}` : `signal ${end.signal}`;
    super(code, options.message ?? `Codex Exec exited with ${how}: ${stripBacktrace(end.stderr)}`, {
      hint,
      cause,
    });
    this.name = "CodexExitError";
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.stderr = end.stderr;
    this.threadId = turn?.threadId;
    this.turnId = turn?.turnId;
  }
}

/** An engine that was to stay up ended although nobody had asked it to. Exit code 0 counts too. */
export class EngineCrashedError extends CodexExitError {
  /** @internal */
  constructor(exit: EngineExit, turn?: { threadId: string; turnId: string | undefined }, cause?: unknown) {
    const how = exit.signal === null ? `exited with code ${exit.exitCode}` : `was ended by ${exit.signal}`;
    const where =
      turn === undefined ? "" : ` during turn ${turn.turnId ?? "(new)"} of thread ${turn.threadId}`;
    const tail = exit.stderr === "" ? "" : `\n${exit.stderr}`;
    super(exit, {
      code: "CODEX_JS_SDK_ENGINE_CRASHED",
      message: `the engine ${how}${where}${tail}`,
      turn,
      cause,
    });
    this.name = "EngineCrashedError";
  }
}

/** The engine answered a request with an error. */
export class RpcError extends CodexError {
  readonly method: string;
  /** The protocol's number: -32600 for nearly everything, -32001 when the engine is overloaded. */
  readonly rpcCode: number;
  /** What the engine added, for example `{ reason: "serverShuttingDown" }`. */
  readonly data: unknown;

  /** @internal */
  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super("CODEX_JS_SDK_REQUEST_FAILED", `${method} failed: ${error.message} (${error.code})`);
    this.name = "RpcError";
    this.method = method;
    this.rpcCode = error.code;
    this.data = error.data;
  }
}

/** The engine did not answer a request in time; whether it carried it out is not known. */
export class RequestTimeoutError extends CodexError {
  readonly method: string;
  readonly timeoutMs: number;

  /** @internal */
  constructor(method: string, timeoutMs: number) {
    super("CODEX_JS_SDK_REQUEST_TIMED_OUT", `${method} was not answered within ${timeoutMs} ms`);
    this.name = "RequestTimeoutError";
    this.method = method;
    this.timeoutMs = timeoutMs;
  }
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

/** What ends everything that a client has under way when its program closes it. */
export function createClosedError(): CodexError {
  return new CodexError("CODEX_JS_SDK_CONNECTION_CLOSED", "this client was closed");
}
