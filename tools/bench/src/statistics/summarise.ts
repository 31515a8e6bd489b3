import type { ComparedMedians, Comparison, ComparisonSpec, Sample, Series } from "../document/types.ts";
import { type BootstrapOptions, bootstrapInterval } from "./bootstrap.ts";
import { mean, median, quantileOfSorted, sortNumbers } from "./quantile.ts";

/** One line for each group, side and metric, in the order of their first samples. */
export function summariseSeries(samples: readonly Sample[], bootstrap: BootstrapOptions): Series[] {
  const bySeries = Map.groupBy(samples, ({ group, side, metric }) => JSON.stringify([group, side, metric]));
  return [...bySeries.values()].map((own) => {
    const values = own.map(({ value }) => value);
    const sorted = sortNumbers(values);
    const { group, side, metric } = own[0]!;
    return {
      group,
      side,
      metric,
      count: values.length,
      p50: quantileOfSorted(sorted, 0.5),
      p95: quantileOfSorted(sorted, 0.95),
      p99: quantileOfSorted(sorted, 0.99),
      mean: mean(values),
      min: sorted[0]!,
      max: sorted.at(-1)!,
      interval: bootstrapInterval(values, median, bootstrap),
    };
  });
}

interface Pair {
  side: number;
  baseline: number;
  floor: number;
}

/**
 * Each comparison in every group that has its sides. A block counts with the median of its samples, so
 * that a side that got more samples into a block weighs no more.
 */
export function summariseComparisons(
  samples: readonly Sample[],
  specs: readonly ComparisonSpec[],
  bootstrap: BootstrapOptions,
): Comparison[] {
  const groups = [...new Set(samples.map(({ group }) => group))];
  return specs.flatMap((spec) =>
    groups.flatMap((group) => {
      const pairs = pairBlocks(
        samples.filter((sample) => sample.group === group && sample.metric === spec.metric),
        spec,
      );
      if (pairs.length === 0) return [];
      const medians = findMedians(pairs);
      const ratio = divideMedians(medians);
      const interval = bootstrapInterval(pairs, (drawn) => divideMedians(findMedians(drawn)), bootstrap);
      return [
        {
          ...spec,
          group,
          medians,
          ratio: Number.isFinite(ratio) ? ratio : null,
          interval,
          pairs: pairs.length,
        },
      ];
    }),
  );
}

function pairBlocks(samples: readonly Sample[], spec: ComparisonSpec): Pair[] {
  const blocks = Map.groupBy(samples, ({ block }) => block);
  return [...blocks.values()].flatMap((block) => {
    const medianOf = (name: string) =>
      median(block.filter(({ side }) => side === name).map(({ value }) => value));
    const side = medianOf(spec.side);
    const baseline = medianOf(spec.baseline);
    const floor = spec.floor === undefined ? 0 : medianOf(spec.floor);
    return [side, baseline, floor].every(Number.isFinite) ? [{ side, baseline, floor }] : [];
  });
}

function findMedians(pairs: readonly Pair[]): ComparedMedians {
  const floor = median(pairs.map((pair) => pair.floor));
  return {
    side: median(pairs.map((pair) => pair.side)) - floor,
    baseline: median(pairs.map((pair) => pair.baseline)) - floor,
  };
}

/** NaN where one of them, the floor taken off, needs nothing that could be told from noise. */
function divideMedians({ side, baseline }: ComparedMedians): number {
  return side > 0 && baseline > 0 ? baseline / side : Number.NaN;
}
