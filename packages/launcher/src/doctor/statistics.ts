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
  /** True where it is large enough to act on and shows in at least four of five rounds. */
  isClear: boolean;
}

/** Less than this is not worth a line in anybody's configuration. */
const smallestSavingMs = 100;
const smallestShare = 0.2;

/** Compares round by round: what the machine was busy with meanwhile falls on both sides of a round. */
export function compareRounds(base: readonly Sample[], other: readonly Sample[], phase: Phase): Difference {
  const differences = base.flatMap((sample, round) => {
    const [before, after] = [sample[phase], other[round]?.[phase] ?? null];
    return before === null || after === null ? [] : [before - after];
  });
  const savesMs = median(differences) ?? 0;
  const baseMs = medianOf(base, (sample) => sample[phase]) ?? 0;
  const agreeing = differences.filter((one) => one > savesMs / 2).length;
  const isLarge = savesMs >= smallestSavingMs && savesMs >= baseMs * smallestShare;
  return { savesMs, rounds: differences.length, isClear: isLarge && agreeing >= differences.length * 0.8 };
}
