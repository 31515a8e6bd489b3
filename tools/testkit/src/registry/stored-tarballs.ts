import { rm, stat } from "node:fs/promises";
import type { RequestedTarball } from "./requested-tarball.ts";
import { isWholeTarball, readStoredPackage } from "./stored-package.ts";

/**
 * Returns a function that removes a stored tarball which came from the uplink and is not what it promised:
 * verdaccio fetches it anew then. Each file is read once in a run, as long as it is the same.
 */
export function createTarballCheck(onDropped: (text: string) => void) {
  const checked = new Map<string, Promise<void>>();

  return async function dropDamaged(tarball: RequestedTarball): Promise<void> {
    const stats = await stat(tarball.file).catch(() => undefined);
    if (stats === undefined) return;
    const key = `${tarball.file} ${stats.size} ${stats.mtimeMs}`;
    let check = checked.get(key);
    if (check === undefined) {
      check = checkTarball(tarball).catch((error: Error) => onDropped(error.message));
      checked.set(key, check);
    }
    await check;
  };

  async function checkTarball({ packageDir, filename, file }: RequestedTarball): Promise<void> {
    const stored = (await readStoredPackage(packageDir))?.tarballs.get(filename);
    if (stored?.origin !== "uplink" || (await isWholeTarball(file, stored)) !== false) return;
    await rm(file, { force: true });
    onDropped(`dropped ${file}: it has other bytes than the uplink promised`);
  }
}
