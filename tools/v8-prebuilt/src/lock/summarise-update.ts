import type { LockedAsset, V8LockData } from "./lock-schema.ts";
import type { LockUpdate } from "./update-lock.ts";

/** What `v8:lock --json` prints. */
export interface LockSummary {
  version: 1;
  v8: string;
  file: string;
  /** Whether the file was written. */
  changed: boolean;
  /** Rows with another digest than before; null for a row that was not there, or is not any more. */
  digests: { target: string; kind: LockedAsset["kind"]; from: string | null; to: string | null }[];
  kept: string[];
  leftOut: string[];
}

export function summariseUpdate(
  before: V8LockData,
  { lock, kept, leftOut }: LockUpdate,
  written: Pick<LockSummary, "file" | "changed">,
): LockSummary {
  const [from, to] = [indexDigests(before), indexDigests(lock)];
  const digests = [...new Set([...from.keys(), ...to.keys()])].flatMap((key) => {
    const [target, kind] = key.split(" ") as [string, LockedAsset["kind"]];
    const change = { target, kind, from: from.get(key) ?? null, to: to.get(key) ?? null };
    return change.from === change.to ? [] : [change];
  });
  return { version: 1, v8: lock.v8, ...written, digests, kept, leftOut };
}

export function describeUpdate({ v8, file, changed, digests, kept, leftOut }: LockSummary): string {
  const lines = [
    changed ? `${file} now pins V8 ${v8}; review its diff` : `${file} is as it was, V8 ${v8}`,
    ...digests.map(({ target, kind, from, to }) => `  ${target} ${kind}: ${shorten(from)} → ${shorten(to)}`),
    ...kept.map((target) => `  ${target}: the release has no checksums, its rows stay`),
    ...leftOut.map((target) => `  ${target}: the release has no checksums, it is left out`),
  ];
  return `${lines.join("\n")}\n`;
}

function indexDigests({ assets }: V8LockData): Map<string, string> {
  return new Map(assets.map(({ target, kind, sha256 }) => [`${target} ${kind}`, sha256]));
}

function shorten(digest: string | null): string {
  return digest === null ? "none" : digest.slice(0, 12);
}
