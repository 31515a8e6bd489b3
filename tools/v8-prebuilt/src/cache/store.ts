import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { createTempDir, makeDir, ToolError } from "@codex-js/cli-kit";
import type { LockedAsset } from "../lock/lock-schema.ts";
import { v8Error } from "../v8-error.ts";

// Not cacache: cargo links the file itself and looks at nothing but its path. It has to keep its name, in a
// folder that its digest names; cacache's files have neither, and its index would say nothing more.

/** What the cache has of an asset. */
export type CachedAsset =
  | { state: "missing" }
  | { state: "whole"; path: string; sizeBytes: number }
  /** There, with other bytes: `received` is their SHA-256, or what else there is to say. */
  | { state: "damaged"; path: string; received: string };

/** `<root>/v8/sha256/<digest>/<file>` */
function locateInCache(root: string, { sha256, path }: LockedAsset): string {
  return join(root, "v8", "sha256", sha256, posix.basename(path));
}

/**
 * Reads the whole file each time: what is handed out has the lock's digest now, not only when it came.
 * @throws ToolError CODEX_JS_V8_CACHE
 */
export async function findInCache(root: string, asset: LockedAsset): Promise<CachedAsset> {
  const path = locateInCache(root, asset);
  return await asCacheError(path, async () => {
    const found = await stat(path).catch(undefinedIfMissing);
    if (found === undefined) return { state: "missing" };
    if (!found.isFile()) return { state: "damaged", path, received: "no file" };
    const received = await hashFile(path);
    if (received !== asset.sha256) return { state: "damaged", path, received };
    const { sizeBytes = found.size } = asset;
    if (found.size !== sizeBytes) return { state: "damaged", path, received: `it with ${found.size} B` };
    return { state: "whole", path, sizeBytes: found.size };
  });
}

/**
 * Lets `fill` write and verify a temporary file beside the cache, then renames it: what is in the cache is
 * whole, whatever happens to this process, and a damaged file is replaced in one step. Two at once write the
 * same bytes, and the later rename wins. What killed processes have left is removed.
 * @returns where it is now
 * @throws ToolError CODEX_JS_V8_CACHE
 */
export async function addToCache(
  root: string,
  asset: LockedAsset,
  fill: (tempFile: string) => Promise<void>,
): Promise<string> {
  const path = locateInCache(root, asset);
  return await asCacheError(path, async () => {
    // On the cache's own disk: a rename does not cross disks.
    const parentDir = join(root, "v8", "tmp");
    await makeDir(parentDir);
    await using temp = await createTempDir("fetch", parentDir);
    const tempFile = join(temp.path, posix.basename(asset.path));
    await fill(tempFile);
    await makeDir(dirname(path));
    await replaceFile(tempFile, path, asset.sha256);
    return path;
  });
}

async function replaceFile(from: string, to: string, sha256: string): Promise<void> {
  const found = await stat(to).catch(undefinedIfMissing);
  if (found?.isDirectory() === true) await rm(to, { recursive: true, maxRetries: 5, retryDelay: 100 });
  try {
    await rename(from, to);
  } catch (error) {
    // Windows replaces no file that another process reads; what that one reads may be what we want.
    if ((await hashFile(to).catch(() => undefined)) !== sha256) throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash);
  return hash.digest("hex");
}

/** The file system's own errors become one of ours; all others pass. */
export async function asCacheError<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof ToolError || (error as NodeJS.ErrnoException)?.syscall === undefined) throw error;
    throw v8Error("CODEX_JS_V8_CACHE", `the cache cannot be used: ${(error as Error).message}`, {
      hint: `see to the disk and the permissions of ${dirname(dirname(dirname(path)))}, or set CODEX_JS_CACHE to another folder`,
      cause: error,
    });
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
