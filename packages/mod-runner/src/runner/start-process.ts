import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";

/** The only module that starts processes. Arguments are an array; no shell is ever involved. */

export interface StartOptions {
  /** The child's whole environment. */
  env: Record<string, string>;
  cwd: string;
  /** Makes the child the leader of a session and a process group of its own. */
  detached: boolean;
}

/** Starts a program with pipes on stdin, stdout and stderr, and no other descriptor. */
export function startProcess(
  file: string,
  args: readonly string[],
  options: StartOptions,
): ChildProcessWithoutNullStreams {
  return spawn(file, args, { ...options, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
}

/** What a small system tool prints; nothing where it fails or is not there. */
export function readOutput(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, args, { env: {}, timeout: 5000 }, (_error, stdout) => resolve(stdout));
  });
}

/** Ends the process group that the child leads, at once. Does nothing where it is gone. */
export function killGroup(leader: number): void {
  // 0 would be this process's own group.
  if (leader === 0) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // EPERM: all that is left are zombies (macOS), or another user's.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
