import { readFile } from "node:fs/promises";
import { type PackedTarball, readEntries, type TarballEntry } from "@codex-js/pack";

/** What somebody could run of a platform package; Windows knows programs by their names alone. */
export async function readPrograms({ file }: PackedTarball): Promise<TarballEntry[]> {
  const entries = await readEntries(await readFile(file));
  return entries.filter(({ path, mode }) => (mode & 0o111) !== 0 || /\.exe$/i.test(path));
}
