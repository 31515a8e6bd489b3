import { formatTable } from "@codex-js/cli-kit";
import { matchPublished, publishedSource } from "../published.ts";
import type { Interval } from "../statistics/bootstrap.ts";
import { fitsSideBySide, formatSides } from "./side-table.ts";
import type { BenchDocument, Comparison } from "./types.ts";
import { formatMedians, formatRatio, formatReduction, formatValue } from "./units.ts";

/** Of a column with {@link formatMedians}; README.md says which medians these are. */
export const medianHead = "blocks' medians";

/** What a person reads after a run. */
export function formatReport(document: BenchDocument): string {
  const parts = [formatHead(document)];
  if (fitsSideBySide(document)) parts.push(formatSides(document));
  else {
    parts.push(formatSeries(document));
    if (document.comparisons.length > 0) parts.push(formatComparisons(document));
  }
  const published = formatPublished(document);
  if (published !== undefined) parts.push(published);
  if (document.notes.length > 0) parts.push(document.notes.map((note) => `note: ${note}`).join("\n"));
  if (document.summary !== undefined) parts.push(document.summary);
  return `${parts.join("\n\n")}\n`;
}

function formatHead({ title, machine, versions, short }: BenchDocument): string {
  const engine = versions.engine === null ? "" : `, engine ${versions.engine}`;
  const load = `load ${machine.loadBefore[0]?.toFixed(2)} → ${machine.loadAfter[0]?.toFixed(2)}`;
  return [
    `${title}${short ? " (short form: for its bounds, not for its figures)" : ""}`,
    `${machine.cpuModel}, ${machine.cores} cores, ${machine.os}, ${load}, node ${versions.node}${engine}`,
  ].join("\n");
}

function formatSeries({ series, metrics }: BenchDocument): string {
  return formatTable(
    ["what", "metric", "side", "n", "p50", "p95", "p99", "95 % interval of p50"],
    series.map(({ group, metric, side, count, p50, p95, p99, interval }) => {
      const { label, unit } = metrics[metric] ?? { label: metric, unit: "" };
      const value = (number: number) => formatValue(number, unit);
      const ends = interval === null ? "–" : `${value(interval[0])} … ${value(interval[1])}`;
      return [group, label, side, String(count), value(p50), value(p95), value(p99), ends];
    }),
    [3, 4, 5, 6],
  );
}

function formatComparisons({ comparisons, metrics }: BenchDocument): string {
  return formatTable(
    ["what", "metric", "side", "against", medianHead, "ratio", "95 % interval", "change"],
    comparisons.map((comparison) => [
      comparison.group,
      metrics[comparison.metric]?.label ?? comparison.metric,
      comparison.side,
      describeBaseline(comparison),
      formatMedians(comparison.medians, metrics[comparison.metric]?.unit ?? ""),
      formatRatio(comparison.ratio),
      formatRatioInterval(comparison.interval),
      formatReduction(comparison.ratio),
    ]),
    [5, 7],
  );
}

function formatPublished(document: BenchDocument): string | undefined {
  const rows = matchPublished(document);
  if (rows.length === 0) return undefined;
  const table = formatTable(
    ["against published figures", "theirs", "ratio", "ours", "ratio", "change", "target"],
    rows.map(({ figure, comparison }) => {
      const unit = document.metrics[comparison.metric]?.unit ?? "";
      return [
        rows.filter((row) => row.figure === figure).length > 1
          ? `${figure.label} (${comparison.group})`
          : figure.label,
        `${figure.before} → ${figure.after}`,
        formatRatio(figure.ratio),
        formatMedians(comparison.medians, unit),
        formatRatio(comparison.ratio),
        formatReduction(comparison.ratio),
        figure.target === null ? "" : `≥ ${formatRatio(figure.target)}`,
      ];
    }),
    [2, 4, 5],
  );
  return `${table}\n(${publishedSource})`;
}

export function describeBaseline({ baseline, floor }: Comparison): string {
  return floor === undefined ? baseline : `${baseline}, both less ${floor}`;
}

export function formatRatioInterval(interval: Interval): string {
  return interval === null ? "–" : `${formatRatio(interval[0])} … ${formatRatio(interval[1])}`;
}
