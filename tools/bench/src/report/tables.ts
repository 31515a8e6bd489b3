import { describeBaseline, formatRatioInterval, medianHead } from "../document/table.ts";
import type { BenchDocument } from "../document/types.ts";
import { formatMedians, formatRatio, formatReduction, formatValue } from "../document/units.ts";
import type { FigureRow } from "../published.ts";
import { html, type Markup } from "./html.ts";

interface Column {
  title: string;
  numeric?: boolean;
  /** Keeps `before → after` on one line. */
  unbroken?: boolean;
}

/** A table that scrolls inside of its own box where the screen is too narrow for it. */
function table(columns: readonly Column[], rows: readonly (readonly (string | Markup)[])[]): Markup {
  const cell = (value: string | Markup, index: number) =>
    html`<td class="${classOf(columns[index]!)}">${value}</td>`;
  return html`<div class="scroll"><table>
<thead><tr>${columns.map((column) => html`<th class="${classOf(column)}">${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></div>`;
}

function classOf({ numeric, unbroken }: Column): string {
  if (numeric) return "number";
  return unbroken ? "unbroken" : "";
}

export function publishedTable(
  rows: readonly { label: string; row: FigureRow; document: BenchDocument }[],
): Markup {
  return table(
    [
      { title: "what" },
      { title: "published", unbroken: true },
      { title: "ratio", numeric: true },
      { title: "here", unbroken: true },
      { title: "ratio", numeric: true },
      { title: "95 % interval", unbroken: true },
      { title: "change", numeric: true },
      { title: "target", numeric: true },
    ],
    rows.map(({ label, row: { figure, comparison }, document }) => {
      const unit = document.metrics[comparison.metric]?.unit ?? "";
      return [
        label,
        `${figure.before} → ${figure.after}`,
        formatRatio(figure.ratio),
        formatMedians(comparison.medians, unit),
        html`<strong>${formatRatio(comparison.ratio)}</strong>`,
        formatRatioInterval(comparison.interval),
        formatReduction(comparison.ratio),
        formatTarget(figure.target, comparison.ratio),
      ];
    }),
  );
}

function formatTarget(target: number | null, ratio: number | null): Markup {
  if (target === null) return html`<span class="quiet">–</span>`;
  const met = ratio !== null && ratio >= target;
  return html`<span class="${met ? "met" : "missed"}">${met ? "✓" : "✗"} ≥ ${formatRatio(target)}</span>`;
}

export function comparisonTable(document: BenchDocument): Markup {
  return table(
    [
      { title: "what" },
      { title: "metric" },
      { title: "side" },
      { title: "against" },
      { title: medianHead, unbroken: true },
      { title: "ratio", numeric: true },
      { title: "95 % interval", unbroken: true },
      { title: "change", numeric: true },
      { title: "pairs", numeric: true },
    ],
    document.comparisons.map((comparison) => [
      comparison.group,
      document.metrics[comparison.metric]?.label ?? comparison.metric,
      comparison.side,
      describeBaseline(comparison),
      formatMedians(comparison.medians, document.metrics[comparison.metric]?.unit ?? ""),
      formatRatio(comparison.ratio),
      formatRatioInterval(comparison.interval),
      formatReduction(comparison.ratio),
      String(comparison.pairs),
    ]),
  );
}

export function seriesTable(document: BenchDocument): Markup {
  const numeric = ["n", "p50", "p95", "p99", "mean", "min", "max"].map((title) => ({ title, numeric: true }));
  return table(
    [{ title: "what" }, { title: "metric" }, { title: "side" }, ...numeric],
    document.series.map((series) => {
      const { label, unit } = document.metrics[series.metric] ?? { label: series.metric, unit: "" };
      const { count, p50, p95, p99, mean, min, max } = series;
      const values = [p50, p95, p99, mean, min, max].map((value) => formatValue(value, unit));
      return [series.group, label, series.side, String(count), ...values];
    }),
  );
}
