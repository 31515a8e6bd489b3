import type { SmokeReport } from "@codex-js/smoke";
import type { GateReport } from "./gates/gate.ts";
import type { Manifest } from "./pack/manifest.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { PublishOutcome } from "./publish/publish-report.ts";

/** What is known so far; a release that fails reports as much as it got to know. */
export interface Findings {
  plan?: ReleasePlan;
  manifest?: Manifest;
  gates?: GateReport;
  published: PublishOutcome[];
  smokes?: SmokeReport;
  /** The published GitHub release, for people. */
  releaseUrl?: string;
}
