import { createTerminal } from "./terminal.ts";

/** Anything text can be written to; `process.stdout` is one, a test's array another. */
export interface Writer {
  write(text: string): unknown;
  /** True where a person watches and cursor movement works. */
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  /**
   * Keeps `text` as the last line of a terminal, below everything that is written, until the next call;
   * undefined takes it away. Not there where no line can be redrawn.
   */
  showLine?: ((text: string | undefined) => void) | undefined;
}

/** The outside world, handed to every command: tests pass their own instead of mocking modules. */
export interface CliContext {
  /** Absolute path that relative arguments are resolved against. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Results only. */
  stdout: Writer;
  /** Progress and diagnostics. */
  stderr: Writer;
  now: () => Date;
  fetch: typeof globalThis.fetch;
  /** Aborted on SIGINT, SIGTERM and SIGHUP; everything long-running listens to it. */
  signal: AbortSignal;
}

/** The real world, for `cli.ts` files. Its signal belongs to `runCli`, which aborts it. */
export function createProcessContext(signal: AbortSignal): CliContext {
  return {
    cwd: process.cwd(),
    env: process.env,
    ...createTerminal(process.stdout, process.stderr),
    now: () => new Date(),
    fetch: globalThis.fetch,
    signal,
  };
}
