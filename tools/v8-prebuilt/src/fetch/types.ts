import type { LockedAsset } from "../lock/lock-schema.ts";

/** Where a file came from just now. */
export type FetchSource = "cache" | "mirror" | "network";

export interface FetchedAsset {
  /** Absolute, in the cache; holds the digest, so that cargo notices another file. */
  path: string;
  sha256: string;
  sizeBytes: number;
  source: FetchSource;
}

/** What cargo needs for one target. */
export interface FetchedTarget {
  target: string;
  /** Compressed, as cargo's build script takes it. */
  archive: FetchedAsset;
  /** Null where the lock has none: the crate's own is right then. */
  binding: FetchedAsset | null;
  /** To be added to the environment of cargo. */
  env: { RUSTY_V8_ARCHIVE: string; RUSTY_V8_SRC_BINDING_PATH?: string };
}

/** What `v8:fetch --json` prints. */
export interface FetchReport {
  version: 1;
  /** Version of the crate `v8`. */
  v8: string;
  /** The lock's file, absolute. */
  lock: string;
  /** The lock's words on where its bytes come from. */
  origin: string;
  targets: FetchedTarget[];
}

/** What happens meanwhile, for whoever shows it. */
export type FetchEvent = { asset: LockedAsset } /** `from`: a host, or a mirror's folder. */ & (
  | { type: "start"; from: string }
  | { type: "progress"; receivedBytes: number; totalBytes: number | undefined }
  | { type: "retry"; failures: number; delayMs: number; reason: string }
  /** A file of the cache is not what its name says. It is not used, and what is fetched replaces it. */
  | { type: "damaged"; path: string; received: string }
  | { type: "done"; fetched: FetchedAsset }
  | { type: "failed" }
);
