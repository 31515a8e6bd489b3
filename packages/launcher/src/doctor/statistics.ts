import type { Phase, Sample } from "./measure.ts";

/** Undefined for no values. */
export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function medianOf(
  samples: readonly Sample[],
  read: (sample: Sample) => number | null,
): number | undefined {
  return median(samples.map(read).filter((value) => value !== null));
}

/** Start, turn and exit together; null where one was not reached. */
export function readTotal({ readyMs, turnMs, exitMs }: Sample): number | null {
  return readyMs === null || turnMs === null || exitMs === null ? null : readyMs + turnMs + exitMs;
}

export interface Difference {
  /** Median over the rounds of `base` minus `other`. */
  savesMs: number;
  /** Rounds with both. */
  rounds: number;
  /** True where it is large enough to act on, and no accident of a busy machine. */
  isClear: boolean;
}

/** Less than this is not worth a line in anybody's configuration. */
const smallestSavingMs = 100;
const smallestShare = 0.2;

/**
 * Compares round by round: what the machine was busy with meanwhile falls on both sides of a round. Being
 * busy only ever adds time, so a saving that is real shows between the fastest runs as well.
 */
export function compareRounds(base: readonly Sample[], other: readonly Sample[], phase: Phase): Difference {
  const pairs = base.flatMap((sample, round) => {
    const [before, after] = [sample[phase], other[round]?.[phase] ?? null];
    return before === null || after === null ? [] : [{ before, after }];
  });
  const savesMs = median(pairs.map(({ before, after }) => before - after)) ?? 0;
  const baseMs = median(pairs.map(({ before }) => before)) ?? 0;
  const fastest = (side: "before" | "after") => Math.min(...pairs.map((pair) => pair[side]));
  const isLarge = savesMs >= smallestSavingMs && savesMs >= baseMs * smallestShare;
  const isClear = isLarge && fastest("before") - fastest("after") >= savesMs / 2;
  return { savesMs, rounds: pairs.length, isClear };
}
