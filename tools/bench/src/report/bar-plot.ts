import type { BenchDocument, Series } from "../document/types.ts";
import { formatValue } from "../document/units.ts";
import { html, type Markup } from "./html.ts";
import { plotFrame, rowHeight } from "./plot-frame.ts";
import { createLinearScale } from "./scale.ts";

/** The groups that a whole is made of, in the order of the bar's parts, and their colours. */
const parts = [
  { group: "servers", colour: "c1" },
  { group: "tuis", colour: "c2" },
] as const;

const total = "everything";

/** Medians of a whole and its parts as one bar for each side. */
export function barPlot(document: BenchDocument, metric: string): Markup {
  const unit = document.metrics[metric]?.unit ?? "";
  const wholes = document.series.filter((series) => series.metric === metric && series.group === total);
  const scale = createLinearScale(Math.max(...wholes.map(({ p50 }) => p50)), unit, 3);
  const rows = sortByP50(wholes).map((whole) => {
    let start = 0;
    const shapes = parts.flatMap(({ group, colour }) => {
      const part = document.series.find(
        (series) => series.metric === metric && series.group === group && series.side === whole.side,
      );
      if (part === undefined) return [];
      const x = scale(start);
      start += part.p50;
      return [
        html`<rect class="bar ${colour}" x="${x}%" width="${scale(start) - x}%" y="4" height="${rowHeight - 8}"/>`,
      ];
    });
    return { label: whole.side, shapes, value: formatValue(whole.p50, unit) };
  });
  return plotFrame(rows, scale, (tick) => (tick === 0 ? "0" : formatValue(tick, unit)));
}

/** Whether the document has its wholes and parts. */
export function hasParts(document: BenchDocument): boolean {
  const groups = new Set(document.series.map(({ group }) => group));
  return groups.has(total) && parts.some(({ group }) => groups.has(group));
}

export const barLegend = parts.map(({ group, colour }) => ({
  label: group === "tuis" ? "TUIs" : group,
  colour,
}));

function sortByP50(series: readonly Series[]): Series[] {
  return [...series].sort((a, b) => a.p50 - b.p50);
}
