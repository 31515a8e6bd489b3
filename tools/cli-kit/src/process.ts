import { execa } from "execa";
import { exitCodes, ToolError } from "./errors.ts";

export interface RunOptions {
  cwd: string;
  /** The child's whole environment; nothing is inherited besides it. */
  env: NodeJS.ProcessEnv;
  /** Aborting ends the child and everything it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Text for the child's stdin; without it stdin is empty. */
  input?: string;
  /** Ends the child and everything it started; default none. */
  timeoutMs?: number;
  /** Called with each line of stdout and stderr as it comes, without its line feed. */
  onLine?: (line: string) => void;
  /** Codes that are results and not failures; default `[0]`, `"any"` for all. */
  okExitCodes?: readonly number[] | "any";
}

export interface ChildResult {
  /** Null when a signal ended the child. */
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** How long a child may take to end after TERM before its whole process group is killed. */
const killGraceMs = 5000;
/** How much of a failed child's output goes into the error. */
const shownLines = 20;

/**
 * Starts `file` with an argument array, never through a shell, and waits for it. The child leads a
 * process group, so that what it started (npm's scripts, the engine's tools) ends with it.
 * @throws ToolError CODEX_JS_PROCESS_FAILED (external) with the last lines of its output
 */
export async function runProcess(
  file: string,
  args: readonly string[],
  options: RunOptions,
): Promise<ChildResult> {
  options.signal?.throwIfAborted();
  const child = execa(file, args, {
    cwd: options.cwd,
    env: options.env,
    extendEnv: false,
    input: options.input ?? "",
    reject: false,
    stripFinalNewline: false,
    killDescendants: true,
    forceKillAfterDelay: killGraceMs,
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
  const lines =
    options.onLine === undefined
      ? []
      : [child.stdout, child.stderr].map((stream) => forwardLines(stream, options.onLine!));
  const result = await child;
  await Promise.all(lines);
  options.signal?.throwIfAborted();
  const outcome: ChildResult = {
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    stdout: result.stdout,
    stderr: result.stderr,
    durationMs: Math.round(result.durationMs),
  };
  const ok = options.okExitCodes ?? [0];
  const settled = result.cause === undefined && !result.timedOut && !result.isMaxBuffer;
  if (settled && (ok === "any" || (outcome.exitCode !== null && ok.includes(outcome.exitCode))))
    return outcome;
  throw new ToolError({
    code: "CODEX_JS_PROCESS_FAILED",
    message: `${[file, ...args].join(" ")} ${describeEnd(outcome, result.timedOut ? options.timeoutMs : undefined)}${tail(outcome)}`,
    exitCode: exitCodes.external,
    cause: result.cause,
  });
}

/** Runs a JavaScript or TypeScript file with the Node that runs this process. */
export function runNode(script: string, args: readonly string[], options: RunOptions): Promise<ChildResult> {
  return runProcess(process.execPath, [script, ...args], options);
}

async function forwardLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): Promise<void> {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) onLine(line);
  });
  await new Promise<void>((resolve) => stream.once("close", resolve));
  if (rest !== "") onLine(rest);
}

function describeEnd(outcome: ChildResult, timeoutMs: number | undefined): string {
  if (timeoutMs !== undefined) return `did not end within ${timeoutMs} ms`;
  if (outcome.signal !== null) return `was ended by ${outcome.signal}`;
  return outcome.exitCode === null ? "could not be run" : `exited with code ${outcome.exitCode}`;
}

function tail(outcome: ChildResult): string {
  const text = (outcome.stderr.trim() === "" ? outcome.stdout : outcome.stderr).trimEnd();
  return text === "" ? "" : `\n${text.split("\n").slice(-shownLines).join("\n")}`;
}
