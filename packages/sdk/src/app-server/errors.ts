/**
 * What an {@link AppServerError} is about:
 *
 * - `ABORT_ERR`: the caller's signal was aborted; `name` is `AbortError`, `cause` the signal's reason
 * - `CODEX_JS_SDK_ENGINE_NOT_STARTED`: the engine could not be started, or was not ready in time
 * - `CODEX_JS_SDK_ENGINE_TOO_OLD`: the engine is older than what the caller asked for
 * - `CODEX_JS_SDK_ENGINE_CRASHED`: the engine went away by itself; see {@link EngineCrashedError}
 * - `CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED`: it crashed too often to be started once more
 * - `CODEX_JS_SDK_CONNECTION_CLOSED`: this side closed the connection, or the server's socket went away
 * - `CODEX_JS_SDK_PROTOCOL_VIOLATED`: the other side sent something that is no message
 * - `CODEX_JS_SDK_MESSAGE_TOO_LONG`: a message is longer than this side or the server allows
 * - `CODEX_JS_SDK_REQUEST_FAILED`: the engine answered with an error; see {@link RpcError}
 * - `CODEX_JS_SDK_REQUEST_TIMED_OUT`: no answer within the deadline; see {@link RequestTimeoutError}
 * - `CODEX_JS_SDK_THREAD_LOST`: the thread went away with the engine and cannot be resumed
 * - `CODEX_JS_SDK_SHARED_UNSUPPORTED`: no shared server on this system
 * - `CODEX_JS_SDK_SHARED_DIR_UNSAFE`: others could get at the folder of the shared server's socket
 * - `CODEX_JS_SDK_SHARED_VERSION_MISMATCH`: the shared server runs another version of the engine
 * - `CODEX_JS_SDK_SHARED_CONFIG_CONFLICT`: the shared server was started with other configuration overrides
 * - `CODEX_JS_SDK_SHARED_BUSY`: the shared server is ending or starting for longer than this side waits
 */
export type AppServerErrorCode =
  | "ABORT_ERR"
  | "CODEX_JS_SDK_ENGINE_NOT_STARTED"
  | "CODEX_JS_SDK_ENGINE_TOO_OLD"
  | "CODEX_JS_SDK_ENGINE_CRASHED"
  | "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED"
  | "CODEX_JS_SDK_CONNECTION_CLOSED"
  | "CODEX_JS_SDK_PROTOCOL_VIOLATED"
  | "CODEX_JS_SDK_MESSAGE_TOO_LONG"
  | "CODEX_JS_SDK_REQUEST_FAILED"
  | "CODEX_JS_SDK_REQUEST_TIMED_OUT"
  | "CODEX_JS_SDK_THREAD_LOST"
  | "CODEX_JS_SDK_SHARED_UNSUPPORTED"
  | "CODEX_JS_SDK_SHARED_DIR_UNSAFE"
  | "CODEX_JS_SDK_SHARED_VERSION_MISMATCH"
  | "CODEX_JS_SDK_SHARED_CONFIG_CONFLICT"
  | "CODEX_JS_SDK_SHARED_BUSY";

export interface AppServerErrorOptions {
  hint?: string;
  cause?: unknown;
}

/** Every error of the persistent engine; tell them apart by `code`. */
export class AppServerError extends Error {
  readonly code: AppServerErrorCode;
  /** One thing to do about it, where there is one. */
  readonly hint: string | undefined;

  /** @internal */
  constructor(code: AppServerErrorCode, message: string, options: AppServerErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "AppServerError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** The engine answered a request with an error. */
export class RpcError extends AppServerError {
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
export class RequestTimeoutError extends AppServerError {
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

/** How an engine's process ended. */
export interface EngineExit {
  /** Null when a signal ended the process. */
  exitCode: number | null;
  /** For example `SIGKILL`; null when the process exited by itself. */
  signal: string | null;
  /** The last lines that the engine wrote to stderr. */
  stderr: string;
}

/** The engine's process ended although nobody had asked it to. Exit code 0 counts too. */
export class EngineCrashedError extends AppServerError implements EngineExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** The thread and turn that this error failed; undefined where it failed something else. */
  readonly threadId: string | undefined;
  readonly turnId: string | undefined;

  /** @internal */
  constructor(exit: EngineExit, turn?: { threadId: string; turnId: string | undefined }, cause?: unknown) {
    const how = exit.signal === null ? `exited with code ${exit.exitCode}` : `was ended by ${exit.signal}`;
    const where =
      turn === undefined ? "" : ` during turn ${turn.turnId ?? "(new)"} of thread ${turn.threadId}`;
    const tail = exit.stderr === "" ? "" : `\n${exit.stderr}`;
    super(
      "CODEX_JS_SDK_ENGINE_CRASHED",
      `the engine ${how}${where}${tail}`,
      cause === undefined ? {} : { cause },
    );
    this.name = "EngineCrashedError";
    this.exitCode = exit.exitCode;
    this.signal = exit.signal;
    this.stderr = exit.stderr;
    this.threadId = turn?.threadId;
    this.turnId = turn?.turnId;
  }
}

/** What aborting rejects with, as Node's own functions do: name `AbortError`, the reason as cause. */
export function createAbortError(signal: AbortSignal): AppServerError {
  const error = new AppServerError("ABORT_ERR", "The operation was aborted", { cause: signal.reason });
  error.name = "AbortError";
  return error;
}
