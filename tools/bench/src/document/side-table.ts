import { formatTable } from "@codex-js/cli-kit";
import type { BenchDocument, Comparison, Series } from "./types.ts";
import { formatReduction, formatValue } from "./units.ts";

/** More series than this are a wall of lines; with the same sides everywhere they fit side by side. */
const longestList = 30;

/** Whether `formatSides` says more than a list of series would. */
export function fitsSideBySide({ series, metrics }: BenchDocument): boolean {
  if (series.length <= longestList) return false;
  const sidesOf = (metric: string) => listSides(series.filter((one) => one.metric === metric)).join("\n");
  return new Set(Object.keys(metrics).map(sidesOf)).size === 1;
}

/**
 * Medians side by side, and the change of each comparison behind them: the very medians that the change is made of,
 * for a side that nothing compares its own over all samples.
 */
export function formatSides({ series, metrics, comparisons }: BenchDocument): string {
  const sides = listSides(series);
  const pairs = [
    ...new Map(comparisons.map((one) => [`${one.side} vs ${one.baseline}`, one] as const)).values(),
  ];
  const rows = Map.groupBy(series, ({ group, metric }) => JSON.stringify([metric, group]));
  const body = [...rows.values()].map((row) => {
    const { group, metric } = row[0]!;
    const { label, unit } = metrics[metric] ?? { label: metric, unit: "" };
    const medians = sides.map((side) => {
      const one = row.find((candidate) => candidate.side === side);
      return one === undefined ? "" : formatValue(findCompared(comparisons, one) ?? one.p50, unit);
    });
    const changes = pairs.map(({ side, baseline }) => {
      const found = comparisons.find(
        (one) =>
          one.metric === metric && one.group === group && one.side === side && one.baseline === baseline,
      );
      return found === undefined ? "" : formatReduction(found.ratio);
    });
    return [label, group, ...medians, ...changes];
  });
  const header = [
    "median of",
    "in",
    ...sides,
    ...pairs.map(({ side, baseline }) => `${side} vs ${baseline}`),
  ];
  const order = Object.values(metrics).map(({ label }) => label);
  body.sort((a, b) => order.indexOf(a[0]!) - order.indexOf(b[0]!));
  return formatTable(
    header,
    body,
    header.map((_, index) => index).filter((index) => index > 1),
  );
}

/** A side's median as the first of its comparisons has it. */
function findCompared(
  comparisons: readonly Comparison[],
  { group, metric, side }: Series,
): number | undefined {
  const found = comparisons.find(
    (one) =>
      one.group === group &&
      one.metric === metric &&
      one.floor === undefined &&
      [one.side, one.baseline].includes(side),
  );
  if (found === undefined) return undefined;
  return found.side === side ? found.medians.side : found.medians.baseline;
}

function listSides(series: readonly Series[]): string[] {
  return [...new Set(series.map(({ side }) => side))].sort();
}
