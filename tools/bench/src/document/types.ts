import type { BootstrapOptions, Interval } from "../statistics/bootstrap.ts";

/** One measured value. The array that holds it is in the order in which the values were taken. */
export interface Sample {
  /** What was held equal, `200 B lines, node24`; sides are compared within a group. */
  group: string;
  /** What is compared, `ours`. */
  side: string;
  /** Name of an entry of `metrics`. */
  metric: string;
  /** Samples with the same block were taken right after each other, and are paired. Counts from 0. */
  block: number;
  /** In the metric's unit. */
  value: number;
}

export interface MetricInfo {
  /** For people: `PSS of everything`. */
  label: string;
  /** `ms`, `KiB`, `%` …; empty for counts. */
  unit: string;
}

/** What is to be compared, in every group that has both sides. Less is better in every metric here. */
export interface ComparisonSpec {
  metric: string;
  side: string;
  baseline: string;
  /** A side whose median is first taken off both, `JSON.parse` alone for what framing costs. */
  floor?: string;
}

/** Of each side: the median over the paired blocks of a block's median, the floor's taken off where there is one. */
export interface ComparedMedians {
  side: number;
  baseline: number;
}

export interface Comparison extends ComparisonSpec {
  group: string;
  /** What `ratio` is made of. Other than a series' p50, which is over all samples, whatever their blocks. */
  medians: ComparedMedians;
  /** baseline ÷ side of `medians`: 2 means that the side needs half. Null where one of them is not above 0. */
  ratio: number | null;
  /** Bootstrapped over blocks, both sides of a block drawn together. */
  interval: Interval;
  /** Blocks in which both were measured. */
  pairs: number;
}

export interface Series {
  group: string;
  side: string;
  metric: string;
  count: number;
  p50: number;
  p95: number;
  p99: number;
  mean: number;
  min: number;
  max: number;
  /** Of the median. */
  interval: Interval;
}

export interface Machine {
  cpuModel: string;
  /** Logical. */
  cores: number;
  memoryBytes: number;
  /** `linux 6.1.0`. */
  kernel: string;
  /** The distribution's own name, or the platform's. */
  os: string;
  arch: string;
  /** One, five and fifteen minutes; zeros on Windows. */
  loadBefore: readonly number[];
  loadAfter: readonly number[];
}

export interface Versions {
  /** Of the Node that ran the benchmark. */
  node: string;
  /** Null where there is none. */
  bun: string | null;
  engine: string | null;
  /** Full hash; null outside of git. */
  commit: string | null;
  /** The working tree differed from the commit. */
  dirty: boolean;
}

/** What one run of one scenario writes. */
export interface BenchDocument {
  version: 1;
  scenario: string;
  title: string;
  /** The short form: smaller, looser, for CI. */
  short: boolean;
  /** ISO 8601. */
  startedAt: string;
  finishedAt: string;
  machine: Machine;
  versions: Versions;
  /** What the samples were taken with, defaults included. */
  options: Record<string, unknown>;
  bootstrap: BootstrapOptions;
  metrics: Record<string, MetricInfo>;
  comparisons: Comparison[];
  series: Series[];
  /** What a reader must know: sides that were missing, what was found out on the way. */
  notes: string[];
  samples: Sample[];
  /** Whatever else was recorded, by scenario: per-process figures, other tools' own exports. */
  raw: unknown[];
  /** One line that says it all, where a scenario has one. */
  summary?: string;
  /** What must not have happened; absent where a scenario only measures. */
  problems?: string[];
}
