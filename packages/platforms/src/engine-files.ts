import { accessSync, closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "./targets.ts";

/** What npm calls the engine; its binaries come in optional packages of their own. */
export const enginePackage = "@openai/codex";

/** Where below a package's `vendor/<triple>` the binary may lie: today's layout first, then the older one. */
export function listBinaryPaths(packageDir: string, triple: string, host: Host): string[] {
  const name = host.platform === "win32" ? "codex.exe" : "codex";
  return ["bin", "codex"].map((dir) => join(packageDir, "vendor", triple, dir, name));
}

/** True when a platform package (`1.2.3-linux-x64`) goes with the engine's package (`1.2.3`). */
export function isSameEngine(packageRoot: string, platformDir: string): boolean {
  const version = readVersion(join(packageRoot, "package.json"));
  const platformVersion = readVersion(join(platformDir, "package.json"));
  return platformVersion === version || platformVersion?.startsWith(`${version}-`) === true;
}

/** The `version` field of a JSON file; undefined when there is none to read. */
export function readVersion(path: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(path, "utf8")) as { version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** True for a path inside a Yarn or Electron archive: `fs` is patched to read it, the kernel cannot run it. */
export function isInsideArchive(path: string): boolean {
  return /\.(zip|asar)[\\/]/.test(path);
}

/** Says of a file that may be executed whether it is a program for `host`. */
export type IsProgram = (path: string, host: Host) => boolean;

/** True when the file may be executed, lies where the kernel can read it, and `isProgram` says so. */
export function isRunnable(path: string, host: Host, isProgram: IsProgram): boolean {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  return !isInsideArchive(path) && isProgram(path, host);
}

/**
 * True for ELF, Mach-O (thin and universal), PE and `#!`, whatever it is for: not for an empty file, a folder
 * or a saved error page.
 */
export function hasExecutableHeader(path: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // A file that may be run but not read is unusual and fine.
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
  return /^(7f454c46|c[ef]faedfe|cafebabe|4d5a|2321)/.test(head.toString("hex"));
}
