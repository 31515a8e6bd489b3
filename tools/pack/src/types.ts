/** A package.json; the fields that this repository's tools read, and whatever else stands in it. */
export interface PackageManifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string;
  repository?: { type?: string; url?: string; directory?: string } | string;
  engines?: Record<string, string>;
  files?: string[];
  bin?: string | Record<string, string>;
  main?: string;
  types?: string;
  exports?: unknown;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** A workspace package that is published: its manifest is not private. */
export interface PublicPackage {
  name: string;
  version: string;
  /** Absolute. */
  dir: string;
  manifest: PackageManifest;
}

export interface PackedFile {
  /** Relative to the package's root, `/` between folders; npm's `package/` in front is not part of it. */
  path: string;
  sizeBytes: number;
  /** Permission bits, such as `0o644`. */
  mode: number;
  /** The first line, without its line feed, of a file that begins with `#!`. */
  hashbang?: string;
}

/** What is in a tarball, read from its bytes. */
export interface PackedTarball {
  name: string;
  version: string;
  /** Absolute. */
  file: string;
  /** The last part of `file`. */
  filename: string;
  /** sha512 in the form of Subresource Integrity, as in a packument's `dist.integrity`. */
  integrity: string;
  /** Hex. */
  sha256: string;
  packedBytes: number;
  /** Sum of the files' sizes, as a packument's `dist.unpackedSize`. */
  unpackedBytes: number;
  /** Sorted by path. */
  files: PackedFile[];
  /** package.json as packed. */
  manifest: PackageManifest;
}

/** Something a check found; checks return all of them instead of throwing at the first. */
export interface Problem {
  code: `CODEX_JS_${string}`;
  /** The package it was found in; empty when it concerns none. */
  package: string;
  /** What is wrong, with expected and received. */
  message: string;
  /** One command or edit that mends it. */
  hint?: string;
}

/** A problem before its package is known. */
export type Finding = Omit<Problem, "package">;
