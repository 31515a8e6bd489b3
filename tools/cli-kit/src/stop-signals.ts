import { exitCodes, ToolError } from "./errors.ts";

/** Signals that ask a program to end, with their numbers. */
const stopSignals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof stopSignals;

/**
 * One Ctrl-C comes twice under a package manager: from the terminal, which sends it to every process in
 * front, and from the package manager, which passes its own on.
 */
const sameStopMs = 500;

export interface StopListener {
  /** Aborted by the first signal, with a ToolError CODEX_JS_CLI_INTERRUPTED that names it. */
  signal: AbortSignal;
  /** 128 + n after signal n; undefined before any. */
  exitCode(): number | undefined;
}

/**
 * From here on, the first of the signals does not end the process: it has the time that it takes to clean
 * up. The second one ends it.
 */
export function listenToStopSignals(): StopListener {
  const abort = new AbortController();
  let first: { name: StopSignal; at: number } | undefined;
  const exitCode = () => (first === undefined ? undefined : 128 + stopSignals[first.name]);
  const stop = (name: StopSignal) => {
    const at = performance.now();
    if (first === undefined) {
      first = { name, at };
      abort.abort(interruptedError(name));
    } else if (name !== first.name || at - first.at > sameStopMs) {
      process.exit(exitCode());
    }
  };
  for (const name of Object.keys(stopSignals) as StopSignal[]) process.on(name, () => stop(name));
  return { signal: abort.signal, exitCode };
}

function interruptedError(name: StopSignal): ToolError {
  return new ToolError({
    code: "CODEX_JS_CLI_INTERRUPTED",
    message: `stopped by ${name}`,
    exitCode: exitCodes.external,
  });
}
