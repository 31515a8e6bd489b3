import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAbandoned } from "./temp-leftovers.ts";
import { createTempName } from "./temp-owner.ts";

/** A folder of its own that the disposal removes, with everything in it. */
export interface TempDir extends AsyncDisposable {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a fresh folder in `parentDir` and, the first time in a process, removes those that killed processes
 * have left there.
 * @param parentDir has to be there; default: the system's temp folder. One on the disk where the result
 * goes, so that it can be renamed into its place.
 */
export async function createTempDir(prefix: string, parentDir = tmpdir()): Promise<TempDir> {
  await removeAbandoned(parentDir);
  const path = await realpath(await mkdtemp(join(parentDir, createTempName(prefix))));
  // Windows keeps a just-exited child's files locked for a moment.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/** Runs `use` with a fresh folder (absolute, symlinks resolved) and removes it whatever happens. */
export async function withTempDir<T>(prefix: string, use: (dir: string) => Promise<T>): Promise<T> {
  await using dir = await createTempDir(prefix);
  return await use(dir.path);
}
