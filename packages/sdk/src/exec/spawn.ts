import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";

/** The only module that starts processes. Arguments are an array; no shell is ever involved. */

/** Starts a program with pipes on stdin, stdout and stderr. `env` is its whole environment. */
export function startChild(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
): ChildProcessWithoutNullStreams {
  return spawn(file, args, { env, windowsHide: true });
}

/** Runs a small system tool; what it prints, or nothing where it fails or is not there. */
export function runChild(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, args, { env, windowsHide: true, maxBuffer: 2 ** 24, timeout: 5000 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}
