import { formatRatio } from "../document/units.ts";
import type { FigureRow } from "../published.ts";
import { html, type Markup } from "./html.ts";
import { plotFrame, rowHeight } from "./plot-frame.ts";
import { createLogScale } from "./scale.ts";

const middle = rowHeight / 2;

/** Ours as a dot with its interval, theirs as a ring, the target as a mark; on a logarithmic axis. */
export function ratioPlot(rows: readonly { label: string; row: FigureRow }[]): Markup {
  const all = rows.flatMap(({ row: { figure, comparison } }) => [
    figure.ratio,
    ...(figure.target === null ? [] : [figure.target]),
    ...(comparison.ratio === null ? [] : [comparison.ratio]),
    ...(comparison.interval ?? []),
  ]);
  const scale = createLogScale(all.filter((value) => value > 0));
  const lines = rows.map(({ label, row: { figure, comparison } }) => {
    const { ratio, interval } = comparison;
    const shapes = [
      html`<line class="one" x1="${scale(1)}%" x2="${scale(1)}%" y1="0" y2="100%"/>`,
      ...(figure.target === null
        ? []
        : [
            html`<line class="target" x1="${scale(figure.target)}%" x2="${scale(figure.target)}%" y1="3" y2="${rowHeight - 3}"/>`,
          ]),
      ...(interval === null
        ? []
        : [
            html`<line class="interval c1" x1="${scale(interval[0])}%" x2="${scale(interval[1])}%" y1="${middle}" y2="${middle}"/>`,
          ]),
      html`<circle class="theirs" cx="${scale(figure.ratio)}%" cy="${middle}" r="4.5"/>`,
      ...(ratio === null
        ? []
        : [html`<circle class="ours c1" cx="${scale(ratio)}%" cy="${middle}" r="4.5"/>`]),
    ];
    return { label, shapes, value: formatRatio(ratio) };
  });
  return plotFrame(lines, scale, (tick) => `${tick}×`);
}
