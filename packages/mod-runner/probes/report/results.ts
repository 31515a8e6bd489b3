import { defaultLimits } from "../../src/options.ts";
import type { Expectation } from "../probe.ts";
import { isExpected } from "../probe.ts";
import type { Verdict } from "../run/verdict.ts";

/** What was seen, without anything that differs from run to run; kept in git as results.json. */
export interface Results {
  version: 1;
  /** Of the baseline. */
  nodeVersion: string;
  /** By group and id of the probe. */
  runner: Record<string, ProbeResult>;
  /** On both sides, by id of the kernel's rows; counts of attempts. */
  kernel: Record<string, KernelResult>;
}

export interface ProbeResult {
  ours: SideResult;
  /** Undefined where the question makes no sense there. */
  node?: SideResult;
}

export interface SideResult {
  code: string;
  /** It is what has to be. */
  isExpected: boolean;
  /** A value that is not what has to be, as JSON, cut. */
  value?: string;
  isHealthy: boolean;
  traces: readonly string[];
  hasSurvived: boolean;
  /** No process had more than a runner may have. */
  isBounded: boolean;
}

export interface KernelResult {
  denied: number;
  killed: number;
  /** What works without the sandbox, on the machine where this was run. */
  worksOutside: number;
}

/** The host library's default: a runner above it is ended. */
export const memoryLimitKib: number = defaultLimits.memoryBytes / 1024;

const shownValueLength = 100;

export function toSideResult(verdict: Verdict, expected: Expectation): SideResult {
  const { outcome, isHealthy, traces, hasSurvived, peakKib = 0 } = verdict;
  const isRight = isExpected(outcome, expected);
  const value = JSON.stringify(outcome.value)?.slice(0, shownValueLength);
  return {
    code: outcome.code,
    isExpected: isRight,
    ...(isRight || value === undefined ? {} : { value }),
    isHealthy,
    traces,
    hasSurvived,
    isBounded: peakKib <= memoryLimitKib,
  };
}

/** Everything that a row promises. */
export function isHeldResult(result: SideResult): boolean {
  return result.isExpected && result.isHealthy && result.traces.length === 0 && result.isBounded;
}
