import type { Outcome } from "../probe.ts";

/** What was seen of a probe, on one side. */
export interface Verdict {
  outcome: Outcome;
  /** The next callback gave the right answer. */
  isHealthy: boolean;
  /** What of the probe the next callback found in its realm. */
  traces: readonly string[];
  /** The next callback ran in the same process. */
  hasSurvived: boolean;
  /** Most memory that the processes were seen to have, shared pages included; undefined where it cannot be told. */
  peakKib: number | undefined;
}
