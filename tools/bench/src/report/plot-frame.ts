import { html, type Markup } from "./html.ts";
import type { Scale } from "./scale.ts";

export interface PlotRow {
  label: string;
  /** Shapes of one line, x in per cent of the width, y in pixels. */
  shapes: Markup[];
  /** Stands at the end of the line. */
  value: string;
}

export const rowHeight = 26;

/**
 * Rows of label, drawing and value over one axis. Positions are per cents and sizes are pixels, so that
 * the drawing fits every width without its dots and letters being stretched.
 */
export function plotFrame(
  rows: readonly PlotRow[],
  scale: Scale,
  formatTick: (tick: number) => string,
): Markup {
  const grid = scale.ticks.map(
    (tick) => html`<line class="grid" x1="${scale(tick)}%" x2="${scale(tick)}%" y1="0" y2="100%"/>`,
  );
  const lines = rows.map(
    ({ label, shapes, value }) => html`<div class="row">
<span class="label">${label}</span>
<svg height="${rowHeight}" role="img" aria-label="${label}: ${value}">${grid}${shapes}</svg>
<span class="value">${value}</span>
</div>`,
  );
  const ticks = scale.ticks.map((tick) => {
    const at = scale(tick);
    const anchor = at < 4 ? "start" : at > 94 ? "end" : "middle";
    return html`<text x="${at}%" y="12" text-anchor="${anchor}">${formatTick(tick)}</text>`;
  });
  return html`<div class="plot">${lines}
<div class="row axis"><span class="label"></span><svg height="16" aria-hidden="true">${ticks}</svg><span class="value"></span></div>
</div>`;
}
