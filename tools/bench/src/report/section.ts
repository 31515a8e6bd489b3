import type { BenchDocument, Series } from "../document/types.ts";
import { barLegend, barPlot, hasParts } from "./bar-plot.ts";
import { chooseColours } from "./colours.ts";
import { html, type Markup } from "./html.ts";
import { stripPlot } from "./strip-plot.ts";
import { comparisonTable, seriesTable } from "./tables.ts";

/** Everything about one run of one scenario. */
export function documentSection(document: BenchDocument): Markup {
  return html`<section id="${document.scenario}">
<h2>${document.title}</h2>
${document.short && html`<p class="warning">Short form: made for its bounds in CI, not for its figures.</p>`}
<p class="quiet">${describeRun(document)}</p>
${hasParts(document) ? barFigures(document) : stripFigures(document)}
${
  document.comparisons.length > 0 &&
  html`<details><summary>Every comparison (${document.comparisons.length})</summary>${comparisonTable(document)}</details>`
}
<details><summary>Every series (${document.series.length}) of ${document.samples.length} samples</summary>${seriesTable(document)}</details>
<details><summary>Notes, machine, options</summary>${details(document)}</details>
</section>`;
}

function barFigures(document: BenchDocument): Markup {
  const figures = Object.entries(document.metrics).map(
    ([metric, { label }]) =>
      html`<figure><figcaption>${label}</figcaption>${barPlot(document, metric)}</figure>`,
  );
  const legend = barLegend.map(
    ({ label, colour }) => html`<span><i class="swatch ${colour}"></i>${label}</span>`,
  );
  return html`<p class="legend">${legend}</p><div class="figures">${figures}</div>`;
}

function stripFigures(document: BenchDocument): Markup {
  const plots = Map.groupBy(document.series, ({ metric, group }) => JSON.stringify([metric, group]));
  const figures = [...plots.values()].map((series) => {
    const colourOf = chooseColours(document, series[0]!.metric);
    return html`<figure><figcaption>${captionOf(document, series)}</figcaption>${stripPlot(document, series, colourOf)}</figure>`;
  });
  return html`<p class="legend"><span>dot: a sample</span><span>box: the middle half</span><span>bar: the median, with its 95 % interval</span><span>dots at the right edge lie beyond it</span></p>
<div class="figures">${figures}</div>`;
}

function captionOf(document: BenchDocument, series: readonly Series[]): string {
  const { metric, group } = series[0]!;
  const label = document.metrics[metric]?.label ?? metric;
  // A scenario with one group for everything says nothing with its name.
  const groups = new Set(document.series.map((one) => one.group));
  return groups.size === 1 ? label : `${group}: ${label}`;
}

function describeRun({ machine, versions, startedAt }: BenchDocument): string {
  const runtimes = [`Node ${versions.node}`, ...(versions.bun === null ? [] : [`Bun ${versions.bun}`])];
  const engine = versions.engine === null ? [] : [`engine ${versions.engine}`];
  const commit = versions.commit === null ? "no commit" : versions.commit.slice(0, 10);
  return [
    startedAt.slice(0, 10),
    `${machine.cpuModel}, ${machine.cores} cores, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB`,
    machine.os,
    [...runtimes, ...engine].join(", "),
    `${commit}${versions.dirty ? " with changes" : ""}`,
  ].join(" · ");
}

function details(document: BenchDocument): Markup {
  const { machine, bootstrap, options, notes, startedAt, finishedAt } = document;
  const load = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(" ");
  const facts: [string, string][] = [
    ["ran", `${startedAt} … ${finishedAt}`],
    ["kernel", `${machine.kernel}, ${machine.arch}`],
    ["load average before", load(machine.loadBefore)],
    ["load average after", load(machine.loadAfter)],
    ["options", JSON.stringify(options)],
    ["intervals", `95 %, percentile bootstrap, ${bootstrap.resamples} resamples, seed ${bootstrap.seed}`],
  ];
  return html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
