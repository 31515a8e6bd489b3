/** What the gates found, about which tarballs: only these may be published. */
export interface GateReport {
  version: 1;
  ok: boolean;
  gates: GateResult[];
  packages: { name: string; version: string; integrity: string }[];
}

export interface GateResult {
  name: string;
  status: "passed" | "failed";
  durationMs: number;
  problems: GateProblem[];
}

export interface GateProblem {
  /** The package it was found in; empty when it concerns none alone. */
  package: string;
  message: string;
  hint?: string;
}

/** One check of the release. It returns everything that it finds and throws only when it cannot look. */
export interface Gate {
  name: string;
  run(): Promise<GateProblem[]>;
}
