import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `use` with a fresh folder (absolute, symlinks resolved) and removes it whatever happens. */
export async function withTempDir<T>(prefix: string, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), `${prefix}-`)));
  try {
    return await use(dir);
  } finally {
    // Windows keeps a just-exited child's files locked for a moment.
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
