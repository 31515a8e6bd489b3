import { quantile } from "./quantile.ts";
import { createRandom } from "./random.ts";

/** Both ends of a 95 % interval; null where there are too few observations to say anything. */
export type Interval = readonly [low: number, high: number] | null;

export interface BootstrapOptions {
  /** Equal seeds give equal intervals. */
  seed: number;
  /** How many times the observations are drawn anew. */
  resamples: number;
}

export const defaultBootstrap: BootstrapOptions = { seed: 20_260_101, resamples: 2000 };

/**
 * The percentile bootstrap: draws as many observations as there are, with replacement, `resamples` times,
 * and returns the 2.5th and 97.5th percentile of `statistic`. An observation is whatever belongs together,
 * so for a ratio it is a pair: both sides of one block.
 */
export function bootstrapInterval<T>(
  observations: readonly T[],
  statistic: (drawn: readonly T[]) => number,
  options: BootstrapOptions = defaultBootstrap,
): Interval {
  if (observations.length < 2) return null;
  const random = createRandom(options.seed);
  const drawn = new Array<T>(observations.length);
  const results: number[] = [];
  for (let round = 0; round < options.resamples; round++) {
    for (let index = 0; index < drawn.length; index++) {
      drawn[index] = observations[Math.floor(random() * observations.length)]!;
    }
    const result = statistic(drawn);
    if (Number.isFinite(result)) results.push(result);
  }
  // A statistic that is undefined for many draws (a difference near zero below a line) has no interval.
  if (results.length < options.resamples * 0.9) return null;
  return [quantile(results, 0.025), quantile(results, 0.975)];
}
