import type { Problem } from "@codex-js/pack";

/** One entry point that has types, and where its report is kept. */
export interface TypeEntry {
  /** Package name. */
  package: string;
  /** Absolute. */
  packageDir: string;
  /** Absolute path of the declarations. */
  typesFile: string;
  /** Absolute path of the report in git. */
  reportFile: string;
}

export interface ApiReport {
  package: string;
  /** Relative to the package, `/` between folders. */
  reportFile: string;
  /**
   * `removed`: the file is there, the entry point is not any more. `invalid`: the declarations have
   * problems, whether the API changed or not.
   */
  status: "unchanged" | "added" | "changed" | "removed" | "invalid";
  /** Unified diff from the file in git to the report of today; empty when they are the same, or problems left no report. */
  diff: string;
  problems: Problem[];
}

export interface ApiReportResult {
  version: 1;
  verdict: "passed" | "failed";
  reports: ApiReport[];
}
