import type { ModManifest } from "../../generated/manifest.ts";

/** Where a hook is. */
export interface HookTarget {
  module: string;
  export: string;
}

/** A mod that has been read and checked. */
export interface ModPackage {
  name: string;
  version: string;
  manifest: ModManifest;
  /** By the hook's name. */
  hooks: ReadonlyMap<string, HookTarget>;
  /** Host operations that the mod asks for. */
  asks: ReadonlySet<string>;
  /** Text files by path, sorted. */
  modules: Readonly<Record<string, string>>;
  /** `modules` as JSON: every new runner is sent it. */
  modulesJson: string;
  /** What a line that has them has left for compiled code. */
  cacheRoomBytes: number;
  /** SHA-256 of all of it, in hexadecimal. */
  digest: string;
  /** Absolute; undefined for a mod from memory. */
  folder: string | undefined;
}
