import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { checkSize, findContentError } from "../content-errors.ts";
import { PartialFile } from "../download/partial-file.ts";
import { sizeLimits } from "../limits.ts";
import type { LockedAsset } from "../lock/lock-schema.ts";
import { v8Error } from "../v8-error.ts";
import type { AssetLocation } from "./asset-source.ts";

export interface CopyOptions {
  signal: AbortSignal;
  onProgress: (receivedBytes: number, totalBytes: number | undefined) => void;
}

/**
 * Copies a file of a mirror's folder to `path`, which must not be there yet, and verifies it on the way.
 * @throws ToolError CODEX_JS_V8_NO_MIRROR, _NOT_FOUND, _SIZE, _DIGEST, _CACHE
 */
export async function copyFile(
  path: string,
  from: Extract<AssetLocation, { type: "file" }>,
  { sha256, sizeBytes }: Pick<LockedAsset, "sha256" | "sizeBytes">,
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  const totalBytes = await readSize(from);
  checkSize(totalBytes, sizeBytes ?? sizeLimits.assetBytes, sizeBytes !== undefined, from.path);
  await using file = await PartialFile.create(path);
  for await (const chunk of readChunks(from.path, signal)) {
    await file.append(chunk);
    onProgress(file.sizeBytes, totalBytes);
  }
  const received = { sha256: await file.finish(), sizeBytes: file.sizeBytes };
  const error = findContentError(from.path, { sha256, sizeBytes }, received);
  if (error !== undefined) throw error;
}

/** Errors of the mirror's disk are not the cache's. */
async function* readChunks(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stream = createReadStream(path, { signal, highWaterMark: 1024 ** 2 });
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: true })) yield chunk as Buffer;
  } catch (cause) {
    signal.throwIfAborted();
    throw v8Error("CODEX_JS_V8_NOT_FOUND", `the mirror's file ${path} cannot be read`, {
      hint: "see to its permissions and its disk",
      cause,
    });
  }
}

async function readSize({ path, dir }: { path: string; dir: string }): Promise<number> {
  if (!(await isDirectory(dir))) {
    throw v8Error("CODEX_JS_V8_NO_MIRROR", `the mirror ${dir} is no folder`, {
      hint: "name another one with --mirror or CODEX_JS_V8_MIRROR, or none at all",
    });
  }
  const found = await stat(path).catch(() => undefined);
  // Not a pipe either, which would never end.
  if (found?.isFile() === true) return found.size;
  throw v8Error("CODEX_JS_V8_NOT_FOUND", `the mirror has no file ${path}`, {
    hint: "files lie below a mirror as the lock's `path` says; a mirror of other files has its own lock",
  });
}

async function isDirectory(dir: string): Promise<boolean> {
  return await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
