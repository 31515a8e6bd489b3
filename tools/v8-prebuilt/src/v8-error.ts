import { type ExitCode, exitCodes, ToolError } from "@codex-js/cli-kit";

interface Condition {
  exitCode: Exclude<ExitCode, 0>;
  /** True where it only says that V8 is not to be had here: a build may leave out what needs it. */
  unavailable: boolean;
}

const usage: Condition = { exitCode: exitCodes.usage, unavailable: false };
const outside: Condition = { exitCode: exitCodes.external, unavailable: true };
/** Other bytes than the lock's are no reason to go on without V8: somebody has to look. */
const suspicious: Condition = { exitCode: exitCodes.external, unavailable: false };

/** Every code of this tool; README.md says what each means. */
const conditions = {
  /** Not in the cache, and the network is not to be used. */
  CODEX_JS_V8_OFFLINE: outside,
  /** No connection: no name, no route, refused, a proxy or a certificate in the way. */
  CODEX_JS_V8_NO_NETWORK: outside,
  /** The mirror's folder is not there. */
  CODEX_JS_V8_NO_MIRROR: outside,
  /** The server or the mirror is there and has no such file. */
  CODEX_JS_V8_NOT_FOUND: outside,
  /** Any other answer but the file, after the retries where they make sense. */
  CODEX_JS_V8_HTTP_STATUS: outside,
  /** Too many redirects, or one from https to http. */
  CODEX_JS_V8_REDIRECT: outside,
  /** A page or nothing, with a status that says success. */
  CODEX_JS_V8_NOT_THE_FILE: outside,
  /** The connection broke each time. */
  CODEX_JS_V8_BROKEN_DOWNLOAD: outside,
  /** The whole took too long. */
  CODEX_JS_V8_TIMEOUT: outside,
  /** More or fewer bytes than the lock says, or more than any limit. */
  CODEX_JS_V8_SIZE: suspicious,
  /** A whole file with another SHA-256 than the lock's. */
  CODEX_JS_V8_DIGEST: suspicious,
  /** The lock's own bytes, but no whole compressed library. */
  CODEX_JS_V8_DAMAGED_ARCHIVE: suspicious,
  /** The cache cannot be read or written. */
  CODEX_JS_V8_CACHE: outside,
  /** Several targets fail, each in its own way: the message has their codes. Builds fetch one target. */
  CODEX_JS_V8_SEVERAL: suspicious,
  /** The lock has nothing for the target. */
  CODEX_JS_V8_NO_TARGET: { exitCode: exitCodes.usage, unavailable: true },
  /** This machine is no row of the platform table. */
  CODEX_JS_V8_UNSUPPORTED_HOST: outside,
  /** cargo or rustc is missing. */
  CODEX_JS_V8_NO_RUST: outside,
  /** A release's checksum file is empty or is none. */
  CODEX_JS_V8_CHECKSUMS: { exitCode: exitCodes.external, unavailable: false },
  /** The folder of programs that other machines have built is not there. */
  CODEX_JS_V8_NO_BINARIES: usage,
  CODEX_JS_V8_LOCK: usage,
  CODEX_JS_V8_MIRROR: usage,
  CODEX_JS_V8_PROXY: usage,
  CODEX_JS_V8_VERSION: usage,
  /** What `with-native` has run has failed. */
  CODEX_JS_V8_COMMAND_FAILED: { exitCode: exitCodes.checkFailed, unavailable: false },
} as const satisfies Record<`CODEX_JS_V8_${string}`, Condition>;

export type V8ErrorCode = keyof typeof conditions;

export function v8Error(
  code: V8ErrorCode,
  message: string,
  options: { hint?: string; cause?: unknown } = {},
): ToolError {
  return new ToolError({ code, message, exitCode: conditions[code].exitCode, ...options });
}

/**
 * Whether the error says why V8, or what is needed to link it, is not to be had on this machine now. Its
 * `code` tells the reasons apart, its `message` is one line. Anything else is a fault to be mended.
 */
export function isV8Unavailable(error: unknown): error is V8Error {
  return isV8Error(error) && conditions[error.code].unavailable;
}

export type V8Error = ToolError & { code: V8ErrorCode };

/** Whether it is one of this tool's own. */
export function isV8Error(error: unknown): error is V8Error {
  return error instanceof ToolError && Object.hasOwn(conditions, error.code);
}
