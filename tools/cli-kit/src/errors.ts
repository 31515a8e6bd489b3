import { redact } from "./redact.ts";

/** What an exit code of any command here means. */
export const exitCodes = {
  ok: 0,
  /** A check ran and found something. */
  checkFailed: 1,
  /** The command line or a configuration file is wrong. */
  usage: 2,
  /** Something outside failed: network, disk, a child process, a registry. */
  external: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface ToolErrorOptions {
  /** Stable name, `CODEX_JS_<AREA>_<CONDITION>`. */
  code: `CODEX_JS_${string}`;
  /** What failed, with path or URL, expected and received. */
  message: string;
  /** One command or edit that mends it. */
  hint?: string;
  exitCode: Exclude<ExitCode, 0>;
  cause?: unknown;
}

/** An error that a user can act on. Anything else that reaches `runCli` is a bug and shows its stack. */
export class ToolError extends Error {
  readonly code: ToolErrorOptions["code"];
  readonly hint: string | undefined;
  readonly exitCode: Exclude<ExitCode, 0>;

  constructor(options: ToolErrorOptions) {
    super(redact(options.message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = options.code;
    this.hint = options.hint;
    this.exitCode = options.exitCode;
  }
}

/** The text for stderr: message and code, the chain of causes in short, then the remedy. */
export function formatError(error: unknown): string {
  if (!(error instanceof ToolError)) {
    return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const lines = [`error: ${error.message} (${error.code})`];
  for (let cause = error.cause; cause !== undefined && cause !== null; cause = causeOf(cause)) {
    lines.push(`  caused by: ${firstLine(cause)}`);
  }
  if (error.hint !== undefined) lines.push(`  fix: ${error.hint}`);
  return redact(lines.join("\n"));
}

/** What `--json` prints where an error has come in the result's place. */
export interface ErrorDocument {
  version: 1;
  error: { code: string; message: string; hint: string | null };
}

export function toErrorDocument({ code, message, hint }: ToolError): ErrorDocument {
  return { version: 1, error: { code, message, hint: hint === undefined ? null : redact(hint) } };
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Blotted out while it is whole: half of a secret is not known as one.
  return redact(text).split("\n", 1)[0] ?? "";
}
