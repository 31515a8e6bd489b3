import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchDocument } from "../document/types.ts";
import { matchPublished, publishedSource } from "../published.ts";
import { html, Markup } from "./html.ts";
import { ratioPlot } from "./ratio-plot.ts";
import { documentSection } from "./section.ts";
import { publishedTable } from "./tables.ts";

/** One page without any request to anywhere: its style is inside, and it needs no script. */
export function createPage(documents: readonly BenchDocument[]): string {
  const style = new Markup(readFileSync(join(import.meta.dirname, "page.css"), "utf8"));
  const links = documents.map(({ scenario }) => html`<a href="#${scenario}">${scenario}</a>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>codex-js benchmarks</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>codex-js benchmarks</h1>
<p>Ratios compare what was measured in one run, in alternated order. Every sample behind them is in the JSON files that this page was made of.</p>
<nav>${links}</nav>
</header>
${publishedSection(documents)}
${documents.map(documentSection)}
</main>
</body>
</html>
`.text;
}

function publishedSection(documents: readonly BenchDocument[]): Markup {
  const rows = documents.flatMap((document) => {
    const own = matchPublished(document);
    return own.map((row) => {
      const several = own.filter(({ figure }) => figure === row.figure).length > 1;
      const label = several ? `${row.figure.label} (${row.comparison.group})` : row.figure.label;
      return { label, row, document };
    });
  });
  if (rows.length === 0) return html``;
  return html`<section id="published">
<h2>Against published figures</h2>
<p class="quiet">${publishedSource}</p>
<p class="legend"><span><i class="swatch c1 round"></i>here, with its 95 % interval</span><span><i class="swatch ring"></i>published</span><span><i class="swatch mark"></i>target</span></p>
<figure><figcaption>How many times less after the change</figcaption>${ratioPlot(rows)}</figure>
${publishedTable(rows)}
</section>`;
}
