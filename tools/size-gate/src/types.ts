import type { LeftOut, Problem } from "@codex-js/pack";

/** budgets.json. All sizes are bytes; kB elsewhere means 1000 of them. */
export interface SizeBudgets {
  version: 1;
  /** How much larger than the last release a package may be, packed and unpacked. */
  growthPercent: number;
  /** By package name, or `NAME-*` for a family of packages with the same files: one for each public package. */
  packages: Record<string, PackageBudget>;
  bundles: BundleBudget[];
}

export interface PackageBudget {
  packedBytes: number;
  unpackedBytes: number;
  /** Every file of the tarball by path, with the most it may have; there may be no other. */
  files: Record<string, number>;
  /** Instead of the general one. */
  growthPercent?: number;
}

/** Something that users bundle, measured as they would get it: tree-shaken, minified, brotli. */
export interface BundleBudget {
  package: string;
  /** What stands between `import` and `from`: `{ Codex }`, or `* as everything`. */
  import: string;
  brotliBytes: number;
}

/** What the registry has. `unknown` is no pass: it is counted as skipped. */
export type LastRelease =
  | { status: "published"; version: string; packedBytes: number; unpackedBytes: number; fileCount: number }
  | { status: "first-release" }
  | { status: "unknown"; reason: string };

export interface PackageSizes {
  name: string;
  version: string;
  packedBytes: number;
  unpackedBytes: number;
  files: { path: string; sizeBytes: number }[];
  /** Null when budgets.json has none, which is a problem. */
  budget: PackageBudget | null;
  lastRelease: LastRelease;
  problems: Problem[];
}

export interface BundleSizes extends BundleBudget {
  /** Null when it cannot be bundled, which is a problem. */
  measuredBytes: number | null;
  problems: Problem[];
}

export interface SizeReport {
  version: 1;
  verdict: "passed" | "failed";
  /** Each package counts twice (its budget; its last release), each bundle once, `problems` once. */
  checks: { passed: number; failed: number; skipped: number };
  packages: PackageSizes[];
  bundles: BundleSizes[];
  /** Packages that are built elsewhere; each counts as one check that was skipped. */
  leftOut: LeftOut[];
  /** What concerns no measured package, such as a budget for one that is gone. */
  problems: Problem[];
}

/** Where the last release is looked up. */
export interface RegistryAccess {
  url: string;
  /** Value of the Authorization header, for a registry that wants one. */
  authorization?: string;
  /** Registries of single scopes, by scope (`@codex-js`); they have none themselves. */
  scopes?: Record<string, RegistryAccess>;
}
