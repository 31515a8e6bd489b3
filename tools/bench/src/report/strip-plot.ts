import type { BenchDocument, Series } from "../document/types.ts";
import { formatValue } from "../document/units.ts";
import { quantileOfSorted, sortNumbers } from "../statistics/quantile.ts";
import type { ColourOf } from "./colours.ts";
import { html, type Markup } from "./html.ts";
import { type PlotRow, plotFrame, rowHeight } from "./plot-frame.ts";
import { createLinearScale, type Scale } from "./scale.ts";

/** More dots than this hide each other; the ones shown are spread evenly over the sorted samples. */
const shownDots = 120;
const middle = rowHeight / 2;

/** Each sample as a dot, the middle half as a box, the median as a bar, its interval as a line. */
export function stripPlot(document: BenchDocument, series: readonly Series[], colourOf: ColourOf): Markup {
  const { metric } = series[0]!;
  const unit = document.metrics[metric]?.unit ?? "";
  const scale = createLinearScale(Math.max(...series.map(({ p95 }) => p95)) * 1.1, unit);
  const rows = series.map((one) => createRow(document, one, scale, unit, colourOf));
  return plotFrame(rows, scale, (tick) => (tick === 0 ? "0" : formatValue(tick, unit)));
}

function createRow(
  document: BenchDocument,
  series: Series,
  scale: Scale,
  unit: string,
  colourOf: ColourOf,
): PlotRow {
  const values = sortNumbers(
    document.samples
      .filter(
        ({ group, side, metric }) =>
          group === series.group && side === series.side && metric === series.metric,
      )
      .map(({ value }) => value),
  );
  const [low, high] = [quantileOfSorted(values, 0.25), quantileOfSorted(values, 0.75)];
  const colour = colourOf(series.side);
  const { interval, p50 } = series;
  const shapes = [
    html`<rect class="box ${colour}" x="${scale(low)}%" width="${scale(high) - scale(low)}%" y="5" height="${rowHeight - 10}" rx="2"/>`,
    ...thin(values).map((value, index) => {
      // A fixed scatter: three heights, so that equal values do not hide each other.
      const y = middle + ((index % 3) - 1) * 4;
      return html`<circle class="dot ${colour}" cx="${scale(value)}%" cy="${y}" r="2"/>`;
    }),
    ...(interval === null
      ? []
      : [
          html`<line class="interval ${colour}" x1="${scale(interval[0])}%" x2="${scale(interval[1])}%" y1="${middle}" y2="${middle}"/>`,
        ]),
    html`<line class="median ${colour}" x1="${scale(p50)}%" x2="${scale(p50)}%" y1="3" y2="${rowHeight - 3}"/>`,
  ];
  return { label: series.side, shapes, value: formatValue(p50, unit) };
}

function thin(sorted: readonly number[]): number[] {
  if (sorted.length <= shownDots) return [...sorted];
  return Array.from(
    { length: shownDots },
    (_, index) => sorted[Math.round((index * (sorted.length - 1)) / (shownDots - 1))]!,
  );
}
