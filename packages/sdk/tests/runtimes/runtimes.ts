import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Drive, DriveResult } from "./drive.ts";

const bunDir = dirname(createRequire(import.meta.url).resolve("bun/package.json"));

/** What programs run the SDK on; the executable of each. */
const runtimes = { node: process.execPath, bun: join(bunDir, "bin", "bun.exe") };
export type Runtime = keyof typeof runtimes;
export const runtimeNames = Object.keys(runtimes) as Runtime[];

export const distFile = new URL("../../dist/index.js", import.meta.url);

/** Lets a fresh process drive the built SDK, and waits until that process has ended by itself. */
export async function driveSdk(
  runtime: Runtime,
  drive: Omit<Drive, "sdk">,
  env: Record<string, string> = {},
): Promise<DriveResult[]> {
  const argument = JSON.stringify({ sdk: distFile.href, ...drive } satisfies Drive);
  const stdout = await runProgram(runtime, join(import.meta.dirname, "drive.ts"), argument, env);
  return stdout === "" ? [] : JSON.parse(stdout);
}

/** What a program prints that has ended by itself. */
export function runProgram(
  runtime: Runtime,
  program: string,
  argument: string,
  env: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26, timeout: 50_000 };
    // Shorter than a test's deadline, so that a program that hangs does not outlive its test.
    execFile(runtimes[runtime], [program, argument], options, (error, out, err) => {
      if (error) reject(new Error(`${runtime} failed: ${err}`, { cause: error }));
      else resolve(out);
    });
  });
}
