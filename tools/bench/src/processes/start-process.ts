import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { keepGroup, killGroup } from "./process-groups.ts";

export interface StartOptions {
  cwd: string;
  env: Record<string, string>;
}

/** A process that runs until it is stopped: a server, or a peer on its stdin and stdout. It leads a session, so that its whole tree can be ended. */
export interface RunningProcess {
  pid: number;
  /** By `performance.now()`, when the program had taken the process's place. */
  executedAt: number;
  stdin: Writable;
  /** Has to be read: a full pipe would stall the process. */
  stdout: Readable;
  /** Resolves with how it ended; never rejects. */
  ended: Promise<string>;
  /** The last lines of its stderr. */
  readStderr(): string;
  /** TERM, then KILL of the whole group after a grace period. */
  stop(): Promise<void>;
}

const keptStderrChars = 4000;

/** @throws ToolError CODEX_JS_BENCH_START_FAILED (external) */
export async function startProcess(
  file: string,
  args: readonly string[],
  { cwd, env }: StartOptions,
): Promise<RunningProcess> {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: "pipe" });
  // On POSIX systems it returns when execve(2) has succeeded or failed.
  const executedAt = performance.now();
  const ended = describeEnd(child);
  try {
    await once(child, "spawn");
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_BENCH_START_FAILED",
      message: `${file} could not be started`,
      exitCode: exitCodes.external,
      cause,
    });
  }
  const pid = child.pid!;
  const release = keepGroup(pid);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-keptStderrChars);
  });
  const stop = async () => {
    await killGroup(pid, ended);
    release();
  };
  // Writing to a process that has just ended is reported by `ended`, not by an unhandled event.
  child.stdin.on("error", () => {});
  return {
    pid,
    executedAt,
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    readStderr: () => stderr.trimEnd(),
    stop,
  };
}

function describeEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) =>
      resolve(signal === null ? `exited with code ${code}` : `was ended by ${signal}`),
    );
  });
}
