import { copyFile, mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * Copies `file` into `dir`, under another name until it is whole: a reader never sees half a tarball.
 * @returns the new absolute path
 */
export async function placeFile(file: string, dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const unfinished = join(dir, `.${basename(file)}.unfinished`);
  await copyFile(file, unfinished);
  const placed = join(dir, basename(file));
  await rename(unfinished, placed);
  return placed;
}
