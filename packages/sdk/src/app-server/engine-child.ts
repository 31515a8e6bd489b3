import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { CodexError, type EngineExit } from "../errors.ts";
import { OutputTail, readLastLines } from "../output-tail.ts";
import { createMarker, markerVariable, signalProcess } from "../process-tree.ts";
import { createRedactor } from "../redact.ts";

/** How to start an engine that speaks on stdio. */
export interface EngineCommand {
  /** The native executable; a `.cmd` shim cannot be started without a shell. */
  file: string;
  args: readonly string[];
  /** The engine's whole environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** Default: the host's own. */
  cwd?: string;
}

/** A running engine. */
export interface EngineChild {
  readonly pid: number;
  /** Marks the engine and what it runs; see {@link markerVariable}. */
  readonly marker: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process is gone, and never rejects. */
  readonly exited: Promise<EngineExit>;
  /** True as soon as it is gone; `exited` waits for its last words. */
  readonly isGone: boolean;
  /** Signals the engine's process group; on Windows the engine alone. */
  signal(signal: NodeJS.Signals): void;
  setRef(keepsAlive: boolean): void;
}

const stderrTailLines = 40;
const stderrTailBytes = 32 * 1024;

/**
 * Starts an engine. On POSIX it leads a session and group of its own, so a Ctrl-C in the host's terminal
 * leaves it to the host what becomes of running turns.
 * @param secrets - must not get into what is kept of its stderr; read when that is
 * @throws CodexError CODEX_JS_SDK_ENGINE_NOT_STARTED
 */
export async function startEngineChild(
  command: EngineCommand,
  secrets: Iterable<string | undefined> = [],
): Promise<EngineChild> {
  const marker = createMarker();
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: { ...command.env, [markerVariable]: marker },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const readTail = keepTail(child.stderr);
  const readStderr = () => createRedactor(secrets)(readTail());
  const exited = new Promise<EngineExit>((resolve) => {
    child.once("exit", (exitCode, signal) => {
      // What it said last may still be in the pipe, which something it started can hold open.
      waitForEnd(child.stderr, 100).then(() => resolve({ exitCode, signal, stderr: readStderr() }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(
        new CodexError("CODEX_JS_SDK_ENGINE_NOT_STARTED", `cannot start ${command.file}: ${cause.message}`, {
          cause,
        }),
      ),
    );
  });
  child.on("error", () => {});
  // A write to an engine that has gone fails with EPIPE: its exit says more.
  child.stdin.on("error", () => {});
  return {
    pid: child.pid!,
    marker,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    get isGone() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    signal: (signal) => signalProcess(process.platform === "win32" ? child.pid! : -child.pid!, signal),
    setRef: (keepsAlive) => setRef(child, keepsAlive),
  };
}

/** Resolves when a stream has ended, or after `timeoutMs` without an end. */
export function waitForEnd(stream: Readable, timeoutMs: number): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    stream.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function setRef(child: ChildProcessByStdio<Writable, Readable, Readable>, keepsAlive: boolean): void {
  const method = keepsAlive ? "ref" : "unref";
  child[method]();
  // The pipes are sockets, which their types do not say.
  for (const pipe of [child.stdin, child.stdout, child.stderr] as Partial<
    Record<"ref" | "unref", () => void>
  >[]) {
    pipe[method]?.();
  }
}

function keepTail(stream: Readable): () => string {
  const tail = new OutputTail(stderrTailBytes);
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => tail.push(chunk));
  return () => readLastLines(String(tail), stderrTailLines);
}
