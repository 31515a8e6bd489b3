import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentPath } from "../probes/report/document-file.ts";
import { formatDocument } from "../probes/report/format-document.ts";
import { isHeldResult } from "../probes/report/results.ts";
import { readResults } from "../probes/report/results-file.ts";
import { kernelProbes } from "../probes/rows/kernel.ts";
import { runnerProbes } from "../probes/table.ts";

const results = readResults();
const names = Object.entries(runnerProbes).flatMap(([group, probes]) =>
  probes.map(({ id }) => `${group}/${id}`),
);

test("each row has a name of its own, and a result", () => {
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(results.runner).sort()).toEqual([...names].sort());
  expect(Object.keys(results.kernel).sort()).toEqual(kernelProbes.map(({ id }) => id).sort());
});

test("every row was held when the results were written", () => {
  const leaks = Object.entries(results.runner).filter(([, { ours }]) => !isHeldResult(ours));
  expect(leaks).toEqual([]);
  for (const { id, attempts } of kernelProbes) {
    const { denied, killed } = results.kernel[id]!;
    expect({ id, held: denied + killed }).toEqual({ id, held: attempts.length });
  }
});

test("the document's command for one row names one", () => {
  const row = / -t "(.+?) > (.+?)"/.exec(readFileSync(documentPath, "utf8"));
  expect(names).toContain(`${row?.[1]}/${row?.[2]}`);
});

test("the document is the one that the table and its results give", () => {
  // `pnpm --filter @codex-js/mod-runner security --text` writes it anew.
  expect(readFileSync(documentPath, "utf8")).toBe(formatDocument(results));
});
