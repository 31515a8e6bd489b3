import type { CliContext, ToolError } from "@codex-js/cli-kit";
import { resolveCacheRoot } from "../cache/cache-root.ts";
import { type DownloadTools, waitFor } from "../download/download.ts";
import { createHttpClient } from "../download/http-client.ts";
import { findHostTarget, readNativeHost } from "../host/host-target.ts";
import { type DownloadPolicy, defaultPolicy } from "../limits.ts";
import { listAssets, listTargets, readLock, resolveLockFile, type V8Lock } from "../lock/read-lock.ts";
import { resolveMirror } from "../source/asset-source.ts";
import { isV8Error, type V8Error, v8Error } from "../v8-error.ts";
import { type FetchAssetOptions, fetchAsset } from "./fetch-asset.ts";
import type { FetchEvent, FetchedTarget, FetchReport } from "./types.ts";

export interface FetchOptions {
  context: Pick<CliContext, "cwd" | "env" | "signal" | "now">;
  /** Default: what `CODEX_JS_V8_LOCK` names, else the repository's. */
  lock?: V8Lock;
  /** Triples, or every target of the lock; default: this machine's. */
  targets?: readonly string[] | "all";
  /** URL or folder; default: what `CODEX_JS_V8_MIRROR` names, else where the lock says. */
  mirror?: string;
  /** Never use the network; a folder is none. */
  offline?: boolean;
  onEvent?: (event: FetchEvent) => void;
  policy?: DownloadPolicy;
  /** Waits between two attempts. */
  wait?: DownloadTools["wait"];
}

/**
 * Provides the static library of V8 and its Rust binding for some targets: from the cache, where they are
 * verified again, else from a mirror or the network. Of several targets that fail, all are told.
 * @throws ToolError; `isV8Unavailable` tells the reasons why V8 is not to be had from all others
 */
export async function fetchPrebuilt(options: FetchOptions): Promise<FetchReport> {
  const { context, onEvent = () => {}, policy = defaultPolicy, wait = waitFor, offline = false } = options;
  const lock = options.lock ?? (await readLock(resolveLockFile(context)));
  const targets = chooseTargets(options.targets, lock);
  const mirror = resolveMirror(context, options.mirror);
  const cacheRoot = resolveCacheRoot(context);
  await using client = createHttpClient(context, policy);
  const tools = { client, policy, signal: context.signal, now: context.now, wait };
  const fetched = await fetchTargets(targets, { lock, cacheRoot, mirror, offline, tools, onEvent });
  return { version: 1, v8: lock.v8, lock: lock.file, origin: lock.origin, targets: fetched };
}

/** @throws ToolError CODEX_JS_V8_NO_TARGET, CODEX_JS_V8_UNSUPPORTED_HOST */
function chooseTargets(wanted: FetchOptions["targets"], lock: V8Lock): readonly string[] {
  if (wanted === "all") return listTargets(lock);
  const targets = wanted ?? [findHostTarget(readNativeHost()).triple];
  const known = listTargets(lock);
  const unknown = targets.filter((target) => !known.includes(target));
  if (unknown.length === 0) return [...new Set(targets)];
  throw v8Error("CODEX_JS_V8_NO_TARGET", `${lock.file} has no V8 for ${unknown.join(", ")}`, {
    hint: `it has ${known.join(", ")}`,
  });
}

async function fetchTargets(
  targets: readonly string[],
  options: FetchAssetOptions,
): Promise<FetchedTarget[]> {
  const fetched: FetchedTarget[] = [];
  const failures: Failure[] = [];
  for (const target of targets) {
    try {
      fetched.push(await fetchTarget(target, options));
    } catch (error) {
      if (!isV8Error(error)) throw error;
      failures.push({ target, error });
    }
  }
  if (failures.length > 0) throw joinFailures(failures, targets.length, options.lock);
  return fetched;
}

async function fetchTarget(target: string, options: FetchAssetOptions): Promise<FetchedTarget> {
  const files: Partial<Record<"archive" | "binding", FetchedTarget["archive"]>> = {};
  for (const asset of listAssets(options.lock, target)) files[asset.kind] = await fetchAsset(asset, options);
  const archive = files.archive!;
  const binding = files.binding ?? null;
  const env: FetchedTarget["env"] = { RUSTY_V8_ARCHIVE: archive.path };
  if (binding !== null) env.RUSTY_V8_SRC_BINDING_PATH = binding.path;
  return { target, archive, binding, env };
}

interface Failure {
  target: string;
  error: V8Error;
}

/**
 * One error for all, in one line where they fail alike. Else each has a line, with its own code and fix where these
 * differ; the whole has a code of its own then.
 */
function joinFailures(failures: readonly Failure[], all: number, { v8 }: V8Lock): ToolError {
  const { target, error: first } = failures[0] as Failure;
  const isSame = (pick: (error: V8Error) => unknown) =>
    failures.every(({ error }) => pick(error) === pick(first));
  const code = isSame((error) => error.code) ? first.code : "CODEX_JS_V8_SEVERAL";
  const isOneHint = isSame(({ hint }) => hint);
  const hint = isOneHint ? first.hint : "each target has its own above";
  const options = { ...(hint === undefined ? {} : { hint }), cause: first.cause };
  const which = failures.length === 1 ? target : `${failures.length} of ${all} targets`;
  if (isSame(({ message }) => message)) {
    return v8Error(code, `V8 ${v8} for ${which} cannot be fetched: ${first.message}`, options);
  }
  const lines = failures.flatMap(({ target, error }) => [
    `  ${target}: ${error.message} (${error.code})`,
    ...(isOneHint || error.hint === undefined ? [] : [`    fix: ${error.hint}`]),
  ]);
  // The last line is the whole's own: what prints an error puts its code there.
  return v8Error(code, [`V8 ${v8} cannot be fetched:`, ...lines, `${which} failed`].join("\n"), options);
}
