import type { Outcome } from "../probe.ts";
import { healthyValue } from "../scene/mod-text.ts";

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

/** What the callback after a probe, which is that of `healthySource`, has come to. */
export function readHealth({ value }: Outcome): Pick<Verdict, "isHealthy" | "traces"> {
  const [, traces] = Array.isArray(value) ? value : [];
  return {
    isHealthy: JSON.stringify(value) === JSON.stringify(healthyValue),
    traces: Array.isArray(traces) ? traces : [],
  };
}
