import type { CliContext } from "@codex-js/cli-kit";

/** One exact version on the registry. */
export interface PackageVersion {
  name: string;
  version: string;
}

export interface SmokeOptions {
  /** `signal` ends every child and removes the projects; `env` is what the children's is made from. */
  context: CliContext;
  /** Where the packages are installed from; everything they need comes through it too, and the runtimes. */
  registryUrl: string;
  /** What is checked. A check whose package is not among them is skipped. */
  packages: readonly PackageVersion[];
  /** Platform packages that the release has not got, and that nobody misses then. */
  leftOut?: readonly string[];
  /** Ids of the runtimes table; default all of them. */
  runtimes?: readonly string[];
  /** Absolute. Gets one folder a runtime, removed when its checks pass and kept when one fails. */
  workDir: string;
  /** Absolute. Holds the package managers' caches and the runtimes; may be kept between runs. */
  cacheDir: string;
  onEvent?: (event: SmokeEvent) => void;
  /** Called with each runtime's outcome as soon as it is there. */
  onRuntime?: (result: RuntimeResult) => void;
}

export interface SmokeEvent {
  /** Id of the runtimes table, `node22`. */
  runtime: string;
  check: string;
  state: "start" | "ok" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  detail?: string;
}

export interface SmokeReport {
  version: 1;
  /** In the order of the runtimes table. */
  results: RuntimeResult[];
}

export interface RuntimeResult {
  /** Id of the runtimes table, `node22`. */
  runtime: string;
  /** As the runtime itself says it, without a leading `v`; the table's where it could not be run. */
  runtimeVersion: string;
  /** As the package manager says it, `npm 10.9.9`. */
  packageManager: string;
  /** No check failed. */
  ok: boolean;
  durationMs: number;
  /** In the order they ran. */
  checks: CheckResult[];
}

export interface CheckResult {
  name: string;
  status: "passed" | "failed" | "skipped";
  durationMs: number;
  /** What was wrong, with the last lines of output; or why it was skipped. */
  message?: string;
  /** Of the error that it failed with, `CODEX_JS_…`. */
  code?: string;
  /** The reason lies outside of what is checked: the disk or the registry. */
  external?: true;
}
