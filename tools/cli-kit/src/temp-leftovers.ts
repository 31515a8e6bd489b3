import { lstat, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTempName, isAbandoned, parsePrefix } from "./temp-owner.ts";

const swept = new Map<string, Promise<void>>();

/**
 * Removes the temp folders of processes that were killed, once for each folder that they lie in. Never
 * fails: what cannot be removed stays for the next run.
 */
export function removeAbandoned(parentDir: string): Promise<void> {
  const sweep = swept.get(parentDir) ?? sweepLeftovers(parentDir);
  swept.set(parentDir, sweep);
  return sweep;
}

async function sweepLeftovers(parentDir: string): Promise<void> {
  const names = await readdir(parentDir).catch(() => []);
  for (const name of names.filter(isAbandoned)) {
    // Not ours to remove, gone meanwhile, or on a disk that has become read-only.
    await removeLeftover(parentDir, name).catch(() => undefined);
  }
}

/**
 * Of several processes that find it, the one whose rename succeeds removes it; under its new name it is
 * that process's own, so that a removal that is cut off leaves nothing that nobody would remove.
 */
async function removeLeftover(parentDir: string, name: string): Promise<void> {
  const path = join(parentDir, name);
  const found = await lstat(path);
  // The system's temp folder is everybody's: what another user has put there under such a name stays.
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid())) return;
  const claimed = await mkdtemp(join(parentDir, createTempName(parsePrefix(name)!)));
  try {
    // Onto an empty folder; Windows wants the name free.
    if (process.platform === "win32") await rm(claimed, { recursive: true });
    await rename(path, claimed);
  } finally {
    await rm(claimed, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
