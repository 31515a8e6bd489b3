/** Exit codes of `codex-js`: the same meaning as in every command of this project. */
export const exitCodes = { nothingToChange: 0, somethingToChange: 1, usage: 2, external: 3 } as const;

export interface DoctorErrorOptions {
  /** Stable name. */
  code: `CODEX_JS_${string}`;
  /** What failed, with the path. */
  message: string;
  /** One command or edit that mends it. */
  hint?: string;
  exitCode: 2 | 3;
  cause?: unknown;
}

/** An error that the user can act on; anything else that comes up is a bug. */
export class DoctorError extends Error {
  readonly code: DoctorErrorOptions["code"];
  readonly hint: string | undefined;
  readonly exitCode: DoctorErrorOptions["exitCode"];

  constructor(options: DoctorErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DoctorError";
    this.code = options.code;
    this.hint = options.hint;
    this.exitCode = options.exitCode;
  }
}

/** The text for stderr. */
export function formatError(error: unknown): string {
  if (!(error instanceof DoctorError)) {
    return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
  }
  const hint = error.hint === undefined ? "" : `  fix: ${error.hint}\n`;
  return `error: ${error.message} (${error.code})\n${hint}`;
}
