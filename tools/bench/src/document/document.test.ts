import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { createTopologyExample } from "../../tests/example-documents.ts";
import { defaultBootstrap } from "../statistics/bootstrap.ts";
import { summariseComparisons, summariseSeries } from "../statistics/summarise.ts";
import { readDocument } from "./read.ts";
import { formatSides } from "./side-table.ts";
import { formatReport } from "./table.ts";
import { formatRatio, formatReduction, formatValue } from "./units.ts";
import { formatDocument, writeDocument } from "./write.ts";

test("a document is read as it was written, and has one sample a line", async () => {
  await withTempDir("codex-js-bench", async (dir) => {
    const document = createTopologyExample();
    const path = join(dir, "new", "document.json");
    await writeDocument(path, document);
    expect(await readDocument(path)).toEqual(document);
    const lines = formatDocument(document).split("\n");
    expect(lines.filter((line) => line.startsWith('    {"group":"servers"'))).toHaveLength(2 + 6);
  });
});

test.each([
  "{",
  "[]",
  '{"version":1,"scenario":"x","samples":[],"series":[],"comparisons":[{}]}',
  '{"version":2}',
  '{"version":1,"scenario":"x"}',
])("%s is no document", async (text) => {
  await withTempDir("codex-js-bench", async (dir) => {
    const path = join(dir, "document.json");
    await writeFile(path, text);
    await expect(readDocument(path)).rejects.toMatchObject({
      code: "CODEX_JS_BENCH_BAD_DOCUMENT",
      exitCode: 2,
    });
  });
});

test("the report for people has medians, ratios, published figures and notes", () => {
  const report = formatReport(createTopologyExample()).split("\n");
  const find = (start: RegExp) => report.find((line) => start.test(line))?.replaceAll(/\s{2,}/g, " | ");
  expect([
    find(/^everything +PSS +own/),
    find(/^everything +PSS +shared +own/),
    find(/^20 idle/),
    find(/^note/),
  ]).toEqual([
    "everything | PSS | own | 3 | 860 MiB | 860 MiB | 860 MiB | 860 MiB … 860 MiB",
    "everything | PSS | shared | own | 860 MiB → 460 MiB | 1.87× | 1.87× … 1.87× | −46.5 %",
    "20 idle TUIs, one app-server each → one shared: PSS of everything | 865.9 MiB → 464.0 MiB | 1.87× | 860 MiB → 460 MiB | 1.87× | −46.5 % | ≥ 1.87×",
    "note: a note with <markup>",
  ]);
});

test("many series with the same sides stand side by side", () => {
  const { metrics, series, comparisons, ...rest } = createTopologyExample();
  const names = Array.from({ length: 4 }, (_, index) => `metric ${index}`);
  const wide = {
    ...rest,
    metrics: Object.fromEntries(names.map((name) => [name, { ...metrics.pssKib!, label: name }])),
    series: names.flatMap((metric) => series.map((one) => ({ ...one, metric }))),
    comparisons: names.flatMap((metric) => comparisons.map((one) => ({ ...one, metric }))),
  };
  const lines = formatReport(wide)
    .split("\n")
    .map((line) => line.replaceAll(/\s{2,}/g, " | "));
  expect(lines.slice(3, 8)).toEqual([
    "median of | in | embedded | own | shared | shared vs own",
    expect.stringMatching(/^─+ \| ─/),
    "metric 0 | everything | 650 MiB | 860 MiB | 460 MiB | −46.5 %",
    "metric 0 | tuis | 650 MiB | 380 MiB | 400 MiB | +5.3 %",
    "metric 0 | servers | 480 MiB | 60 MiB | −87.5 %",
  ]);
});

test("the medians beside a change are those that it is made of, however the samples lie in their blocks", () => {
  const values = { ours: [[1, 1, 1, 9, 9], [5], [5]], theirs: [[8, 8, 8, 2, 2], [20], [20]] };
  const samples = Object.entries(values).flatMap(([side, blocks]) =>
    blocks.flatMap((own, block) => own.map((value) => ({ group: "g", side, metric: "m", block, value }))),
  );
  const spec = { metric: "m", side: "ours", baseline: "theirs" };
  const document = {
    ...createTopologyExample(),
    scenario: "topology",
    metrics: { m: { label: "label", unit: "ms" } },
    series: summariseSeries(samples, defaultBootstrap),
    comparisons: summariseComparisons(samples, [spec], defaultBootstrap),
  };
  const side = formatSides(document)
    .split("\n")
    .at(-1)
    ?.replaceAll(/\s{2,}/g, " | ");
  const report = formatReport(document)
    .split("\n")
    .map((line) => line.replaceAll(/\s{2,}/g, " | "));
  // Over all samples the medians are 5 and 8.
  expect(document.series.map(({ p50 }) => p50)).toEqual([5, 8]);
  expect(side).toBe("label | g | 5 ms | 20 ms | −75.0 %");
  expect(report).toContainEqual(
    expect.stringMatching(/^g \| label \| ours \| theirs \| 20 ms → 5 ms \| 4.00×/),
  );
});

test("values have three digits and the unit that suits them", () => {
  expect([
    formatValue(1536, "KiB"),
    formatValue(0.1234, "ms"),
    formatValue(1234.5, "ms"),
    formatValue(92826, ""),
    formatValue(2.654, "%"),
    formatRatio(7.8),
    formatRatio(null),
    formatReduction(2),
    formatReduction(0.8),
    formatReduction(1.0001),
  ]).toEqual(["1.5 MiB", "0.12 ms", "1.23 s", "92,826", "2.65 %", "7.80×", "–", "−50.0 %", "+25.0 %", "0 %"]);
});
