import { expect, test } from "vitest";
import { createTopologyExample } from "../tests/example-documents.ts";
import { type Bound, bounds, checkBounds, describeBoundCheck } from "./bounds.ts";
import { matchPublished, publishedFigures } from "./published.ts";
import { scenarios } from "./scenarios.ts";

const bound: Bound = {
  scenario: "topology",
  metric: "pssKib",
  side: "shared",
  baseline: "own",
  groupContains: "everything",
  atLeast: 1.8,
  shortAtLeast: 2,
};

test("a ratio is held against the bound of the form that was run", () => {
  const document = createTopologyExample();
  const check = (short: boolean) => checkBounds({ ...document, short }, [bound]).map(describeBoundCheck);
  // (480 + 380) ÷ (60 + 400) MiB.
  expect([check(false), check(true)]).toEqual([
    ["✓ pssKib: shared against own, everything: 1.87×, must be ≥ 1.80×"],
    ["✗ pssKib: shared against own, everything: 1.87×, must be ≥ 2.00×"],
  ]);
});

test("a bound that nothing was measured for is not met", () => {
  const checks = checkBounds(createTopologyExample(), [{ ...bound, side: "ours" }]);
  expect(checks).toMatchObject([{ ok: false }]);
  expect(checks[0]).not.toHaveProperty("comparison");
});

test("without a group the bound holds for every group", () => {
  const { groupContains, ...everywhere } = bound;
  const groups = checkBounds(createTopologyExample(), [everywhere]).map(
    ({ comparison }) => comparison?.group,
  );
  expect(groups).toEqual(["everything", "tuis", "servers"]);
});

test("bounds.json is about scenarios that exist, and asks no more of the short form", () => {
  const names = scenarios.map(({ name }) => name);
  expect(bounds.filter(({ scenario }) => !names.includes(scenario))).toEqual([]);
  expect(bounds.filter(({ atLeast, shortAtLeast }) => shortAtLeast > atLeast)).toEqual([]);
});

test("published figures find their counterparts, and their ratios are those of their own values", () => {
  const rows = matchPublished(createTopologyExample());
  expect(rows.map(({ figure, comparison }) => [figure.label, comparison.group])).toEqual([
    ["20 idle TUIs, one app-server each → one shared: PSS of everything", "everything"],
    ["PSS of the app-servers alone", "servers"],
  ]);
  for (const { before, after, ratio } of publishedFigures) {
    const [from, to] = [before, after].map(readQuantity);
    // "about 2×" is no value.
    if (from !== undefined && to !== undefined) expect(from / to).toBeCloseTo(ratio, 0);
  }
});

/** `12.5 s` → 12500, `22 ms` → 22, `865.9 MiB` → 865.9. */
function readQuantity(text: string): number | undefined {
  const match = /^([\d,.]+)\s*(s|ms|MiB|%|)$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]!.replaceAll(",", "")) * (match[2] === "s" ? 1000 : 1);
}
