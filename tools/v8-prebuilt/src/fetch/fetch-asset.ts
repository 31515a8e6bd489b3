import { checkArchive } from "../cache/check-archive.ts";
import { addToCache, findInCache } from "../cache/store.ts";
import { type DownloadTools, download } from "../download/download.ts";
import { sizeLimits } from "../limits.ts";
import type { LockedAsset } from "../lock/lock-schema.ts";
import type { V8Lock } from "../lock/read-lock.ts";
import { type AssetLocation, locateAsset, type SourceBase } from "../source/asset-source.ts";
import { copyFile } from "../source/copy-file.ts";
import { v8Error } from "../v8-error.ts";
import type { FetchEvent, FetchedAsset } from "./types.ts";

export interface FetchAssetOptions {
  lock: V8Lock;
  cacheRoot: string;
  mirror: SourceBase | undefined;
  offline: boolean;
  tools: DownloadTools;
  onEvent: (event: FetchEvent) => void;
}

/** One file from the cache, or else from where it is, by way of the cache. */
export async function fetchAsset(asset: LockedAsset, options: FetchAssetOptions): Promise<FetchedAsset> {
  const { cacheRoot, onEvent, tools } = options;
  const { sha256 } = asset;
  tools.signal.throwIfAborted();
  const cached = await findInCache(cacheRoot, asset);
  if (cached.state === "whole") {
    const { path, sizeBytes } = cached;
    const fetched: FetchedAsset = { path, sha256, sizeBytes, source: "cache" };
    onEvent({ type: "done", asset, fetched });
    return fetched;
  }
  if (cached.state === "damaged") {
    onEvent({ type: "damaged", asset, path: cached.path, received: cached.received });
  }
  return await fetchIntoCache(asset, options);
}

async function fetchIntoCache(asset: LockedAsset, options: FetchAssetOptions): Promise<FetchedAsset> {
  const { lock, cacheRoot, mirror, offline, onEvent } = options;
  const { sha256, path: name } = asset;
  const location = locateAsset(asset, lock, mirror);
  if (offline && location.type === "url") {
    throw offlineError(asset, cacheRoot, location.url, mirror !== undefined);
  }
  onEvent({ type: "start", asset, from: describeLocation(location) });
  try {
    let sizeBytes = 0;
    const path = await addToCache(cacheRoot, asset, async (tempFile) => {
      await transfer(tempFile, asset, location, options, (receivedBytes, totalBytes) => {
        sizeBytes = receivedBytes;
        onEvent({ type: "progress", asset, receivedBytes, totalBytes });
      });
      if (asset.kind === "archive") await checkArchive(tempFile, name);
    });
    const source = mirror !== undefined || location.type === "file" ? "mirror" : "network";
    const fetched: FetchedAsset = { path, sha256, sizeBytes, source };
    onEvent({ type: "done", asset, fetched });
    return fetched;
  } catch (error) {
    onEvent({ type: "failed", asset });
    throw error;
  }
}

async function transfer(
  tempFile: string,
  asset: LockedAsset,
  location: AssetLocation,
  { tools, onEvent }: FetchAssetOptions,
  onProgress: (receivedBytes: number, totalBytes: number | undefined) => void,
): Promise<void> {
  if (location.type === "file") {
    await copyFile(tempFile, location, asset, { signal: tools.signal, onProgress });
    return;
  }
  const { url, authorization } = location;
  const { sha256, sizeBytes } = asset;
  const request = {
    url,
    sha256,
    maxBytes: sizeLimits.assetBytes,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(authorization === undefined ? {} : { authorization }),
    onProgress,
    onRetry: (retry: { failures: number; delayMs: number; reason: string }) =>
      onEvent({ type: "retry", asset, ...retry }),
  };
  await download(tempFile, request, tools);
}

/** Short: an error names the file itself. */
function describeLocation(location: AssetLocation): string {
  return location.type === "file" ? location.dir : location.url.host;
}

function offlineError({ target, kind }: LockedAsset, cacheRoot: string, { host }: URL, isMirror: boolean) {
  const source = isMirror ? `the mirror's URL is network as well (${host})` : `it would come from ${host}`;
  return v8Error(
    "CODEX_JS_V8_OFFLINE",
    `its ${kind} is not in ${cacheRoot}, and the network is not to be used: ${source}`,
    {
      hint: `run it once without --offline, or name a mirror's folder: pnpm v8:fetch --target ${target} --offline --mirror DIR`,
    },
  );
}
