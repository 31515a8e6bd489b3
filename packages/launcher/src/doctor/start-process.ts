import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** The one place where the doctor starts processes; `codex` itself starts its engine in `spawn-engine.ts`. */
export interface StartOptions {
  cwd: string;
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
}

export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts `file` as the leader of a process group (on POSIX a session) of its own, on three pipes. */
export function startProcess(file: string, args: readonly string[], options: StartOptions): PipedProcess {
  return spawn(file, args, {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
}

/** Output of a small system program; an empty text where it fails or does not exist. */
export function readOutput(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: 5000, windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}
