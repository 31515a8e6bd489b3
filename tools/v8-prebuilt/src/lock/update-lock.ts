import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, ToolError, withTempDir } from "@codex-js/cli-kit";
import { targets } from "@codex-js/platforms";
import { describeUrl } from "../download/classify-error.ts";
import { type DownloadTools, download, waitFor } from "../download/download.ts";
import { createHttpClient } from "../download/http-client.ts";
import { type DownloadPolicy, defaultPolicy, sizeLimits } from "../limits.ts";
import { type AssetLocation, locateBelow, type SourceBase } from "../source/asset-source.ts";
import { v8Error } from "../v8-error.ts";
import type { LockedAsset, V8LockData } from "./lock-schema.ts";
import { parseChecksums } from "./parse-checksums.ts";
import { nameRelease, nameReleaseAssets, releaseBaseUrl, toLockedAssets } from "./release-assets.ts";

export interface UpdateLockOptions {
  context: Pick<CliContext, "env" | "signal" | "now">;
  /** Version of the crate `v8`. */
  v8: string;
  /** The lock so far. */
  current: V8LockData;
  /** Where the releases are; default: the real ones. */
  base?: SourceBase;
  policy?: DownloadPolicy;
  wait?: DownloadTools["wait"];
}

export interface LockUpdate {
  lock: V8LockData;
  /** Targets of which the release has no checksums; their rows are as they were. */
  kept: string[];
  /** Targets of which the release has no checksums and the lock had nothing of this version. */
  leftOut: string[];
}

/**
 * Makes a lock from the checksum files that a release has for each target of the platform table.
 * @throws ToolError CODEX_JS_V8_VERSION, _CHECKSUMS, _NOT_FOUND where there is no such release, and all that
 * a download throws
 */
export async function updateLock(options: UpdateLockOptions): Promise<LockUpdate> {
  const { v8, context, current, policy = defaultPolicy, wait = waitFor } = options;
  if (!/^\d+\.\d+\.\d+$/.test(v8)) throw versionError(v8);
  const base = options.base ?? { type: "url", url: new URL(releaseBaseUrl) };
  await using client = createHttpClient(context, policy);
  const tools = { client, policy, wait, signal: context.signal, now: context.now };

  const update: LockUpdate = { lock: createLock(v8), kept: [], leftOut: [] };
  let found = 0;
  for (const { triple } of targets) {
    const fromRelease = await readReleaseAssets(v8, triple, base, tools);
    if (fromRelease !== undefined) found++;
    const before = current.v8 === v8 ? current.assets.filter(({ target }) => target === triple) : [];
    if (fromRelease === undefined) (before.length > 0 ? update.kept : update.leftOut).push(triple);
    update.lock.assets.push(...(fromRelease?.map((asset) => withKnownSize(asset, current)) ?? before));
  }
  if (found === 0) throw noReleaseError(v8, base);
  return update;
}

function createLock(v8: string): V8LockData {
  const origin = `openai/codex release ${nameRelease(v8)}, unless a row has a url of its own`;
  return { version: 1, v8, origin, baseUrl: releaseBaseUrl, assets: [] };
}

/** Undefined where the release has no checksum file for the target. */
async function readReleaseAssets(
  v8: string,
  target: string,
  base: SourceBase,
  tools: DownloadTools,
): Promise<LockedAsset[] | undefined> {
  const names = nameReleaseAssets(target);
  const location = locateBelow(base, `${nameRelease(v8)}/${names.checksums}`);
  const text = await readText(location, tools);
  if (text === undefined) return undefined;
  const where = location.type === "file" ? location.path : describeUrl(location.url);
  const digests = parseChecksums(text, [names.archive, names.binding], where);
  return toLockedAssets(v8, target, {
    archive: digests[names.archive]!,
    binding: digests[names.binding]!,
  });
}

async function readText(location: AssetLocation, tools: DownloadTools): Promise<string | undefined> {
  if (location.type === "file") return await readFile(location.path, "utf8").catch(undefinedIfMissing);
  return await withTempDir("codex-js-v8-lock", async (dir) => {
    const file = join(dir, "checksums");
    const { type: _, ...request } = location;
    try {
      await download(file, { ...request, maxBytes: sizeLimits.checksumsBytes }, tools);
    } catch (error) {
      if (error instanceof ToolError && error.code === "CODEX_JS_V8_NOT_FOUND") return undefined;
      throw error;
    }
    return await readFile(file, "utf8");
  });
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw v8Error("CODEX_JS_V8_CHECKSUMS", `checksums cannot be read: ${error.message}`, { cause: error });
}

/** Checksum files have no sizes; bytes that were known before still have theirs. */
function withKnownSize(asset: LockedAsset, current: V8LockData): LockedAsset {
  const known = current.assets.find(
    ({ sha256, sizeBytes }) => sha256 === asset.sha256 && sizeBytes !== undefined,
  );
  return known?.sizeBytes === undefined ? asset : { ...asset, sizeBytes: known.sizeBytes };
}

function noReleaseError(v8: string, base: SourceBase) {
  const where = base.type === "folder" ? base.dir : describeUrl(base.url);
  return v8Error(
    "CODEX_JS_V8_NOT_FOUND",
    `there are no checksums of V8 ${v8} in ${nameRelease(v8)} below ${where}`,
    {
      hint: "see https://github.com/openai/codex/releases for the versions that there are",
    },
  );
}

function versionError(v8: string) {
  return v8Error("CODEX_JS_V8_VERSION", `${v8} is no version of the crate v8`, {
    hint: "pnpm v8:lock 149.2.0",
  });
}
