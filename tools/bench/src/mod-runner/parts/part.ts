import type { ComparisonSpec, MetricInfo, Sample } from "../../document/types.ts";
import type { ScenarioContext } from "../../scenario.ts";
import { benchOperations } from "../host-operations.ts";
import { type RunnerClient, startRunner } from "../runner-client.ts";
import { nodeSide, oursSide, type RunnerSide } from "../sides.ts";

/** What the parts of the scenario share. */
export interface PartContext {
  context: ScenarioContext;
  sides: readonly RunnerSide[];
  /** A temp folder: the runners' working directory. */
  dir: string;
  env: Record<string, string>;
  samples: Sample[];
  raw: unknown[];
  notes: string[];
}

/** One thing that is measured; `--parts` chooses. */
export interface Part {
  name: string;
  metrics: Record<string, MetricInfo>;
  readsMemory: boolean;
  measure(part: PartContext): Promise<void>;
}

export function start(part: PartContext, side: RunnerSide, cacheKey?: string): Promise<RunnerClient> {
  const { dir: cwd, env } = part;
  const keyed = cacheKey === undefined ? {} : { cacheKey };
  return startRunner(side, { cwd, env, operations: benchOperations, ...keyed });
}

export function compareSides(metrics: Record<string, MetricInfo>): ComparisonSpec[] {
  return Object.keys(metrics).map((metric) => ({ metric, side: oursSide, baseline: nodeSide }));
}
