import type { RuntimeResult } from "@codex-js/smoke";
import type { GateResult } from "../gates/gate.ts";

/** Everything a release did: `--json`, and report.json in the out dir. */
export interface ReleaseReport {
  version: 1;
  ok: boolean;
  target: string;
  /** Null when the release ended before it knew. */
  commit: string | null;
  /** Built with uncommitted changes. */
  dirty: boolean;
  durationMs: number;
  /** Absolute paths of what a release leaves. */
  files: { tarballsDir: string; report: string };
  /** In the order they ran. */
  steps: StepResult[];
  /** In the order of publishing. */
  packages: PackageResult[];
  /** Each counts as a check that was skipped. */
  leftOut: LeftOutResult[];
  gates: GateResult[];
  /** One a runtime. */
  smokes: RuntimeResult[];
  /** Of a release to npm that is done: the GitHub release, for people. */
  releaseUrl?: string;
  /** What ended a release that is not ok. */
  error?: { code: string; message: string; hint?: string };
}

export interface StepResult {
  name: string;
  status: "passed" | "failed";
  durationMs: number;
}

/** A platform package that a rehearsal has not got: other machines build it. */
interface LeftOutResult {
  name: string;
  version: string;
  state: "left-out";
  /** One line for people. */
  reason: string;
}

export interface PackageResult {
  name: string;
  version: string;
  integrity: string;
  sha256: string;
  packedBytes: number;
  unpackedBytes: number;
  /** Number of files. */
  files: number;
  /** `packed`: the release ended before it was published. */
  state: "packed" | "published" | "already-there";
}
