import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates the folder and those above it that are missing. Node's own recursive `mkdir` never returns where
 * a folder is there but takes no children (below `/proc`, through a dangling link): it goes up and down
 * between the two for ever. Here every level is tried once.
 * @throws the file system's own error
 */
export async function makeDir(dir: string): Promise<void> {
  for (const level of await listMissing(resolve(dir))) await makeLevel(level);
}

/** From the top down. */
async function listMissing(dir: string): Promise<string[]> {
  const missing: string[] = [];
  for (let level = dir; !(await isThere(level)); level = dirname(level)) {
    missing.unshift(level);
    if (dirname(level) === level) break;
  }
  return missing;
}

async function isThere(path: string): Promise<boolean> {
  try {
    return await isDirectory(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

async function makeLevel(dir: string): Promise<void> {
  try {
    await mkdir(dir);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await isDirectory(dir))) throw error;
  }
}

/** @throws ENOTDIR where something else is in its place */
async function isDirectory(path: string): Promise<true> {
  if ((await stat(path)).isDirectory()) return true;
  throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: "ENOTDIR", path });
}
