import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Drive, DriveResult } from "./drive.ts";

const bunDir = dirname(createRequire(import.meta.url).resolve("bun/package.json"));

/** What hosts run on; the executable of each. */
export const executables = { node: process.execPath, bun: join(bunDir, "bin", "bun.exe") };
export type Runtime = keyof typeof executables;
export const runtimeNames = Object.keys(executables) as Runtime[];

const library = new URL("../../dist/index.js", import.meta.url).href;

/** A mod of one hook, whatever it is; the fake runner does not look into it. */
const anyMod = {
  files: {
    "mod.json": JSON.stringify({
      name: "any",
      version: "1.0.0",
      protocol: "1",
      hooks: { main: "main.ts" },
      grants: ["op"],
    }),
    "main.ts": "export default () => null;",
  },
};

export type DriveOptions = Partial<Omit<Drive, "library">>;

/** Lets a fresh process use the built library, and waits until that process has ended by itself. */
export async function driveHost(runtime: Runtime, options: DriveOptions): Promise<DriveResult> {
  return JSON.parse(await driveProcess(runtime, options));
}

/** The same, where the process may end before it has printed anything. */
export function driveProcess(runtime: Runtime, options: DriveOptions): Promise<string> {
  const program = join(import.meta.dirname, "drive.ts");
  const drive: Drive = { library, host: {}, mod: anyMod, calls: [{}], ...options };
  return new Promise((resolve, reject) => {
    // Shorter than a test's deadline, so that a program that hangs does not outlive its test.
    const settings = { env: process.env, maxBuffer: 2 ** 26, timeout: 50_000 };
    execFile(executables[runtime], [program, JSON.stringify(drive)], settings, (error, out, err) => {
      if (error === null || error.signal === "SIGKILL") resolve(out);
      else reject(new Error(`${runtime} failed: ${err}`, { cause: error }));
    });
  });
}
