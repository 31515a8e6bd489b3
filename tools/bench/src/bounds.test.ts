import { expect, test } from "vitest";
import { createTopologyExample } from "../tests/example-documents.ts";
import { type Bound, bounds, checkBounds, describeBoundCheck, describeLeftOut } from "./bounds.ts";
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

test("a bound about a part that was not asked for does not count, and is told", () => {
  const needy = { ...bound, side: "ours", needs: { parts: ["memory"] } };
  const checkParts = (...parts: string[]) => {
    const document = { ...createTopologyExample(), options: { parts } };
    return [
      checkBounds(document, [bound, needy]).map(({ ok }) => ok),
      describeLeftOut(document, [bound, needy]),
    ];
  };
  expect([checkParts("turns", "memory"), checkParts("turns")]).toEqual([
    [[true, false], undefined],
    [[true], "1 of 2 bounds are about what --parts left out"],
  ]);
});

test("no bound is left out by the defaults of either form", () => {
  for (const { name, options } of scenarios) {
    for (const short of [true, false]) {
      const chosen = options.map((one) => [one.name, (short ? one.short : undefined) ?? one.default]);
      const document = { ...createTopologyExample(), scenario: name, options: Object.fromEntries(chosen) };
      expect([name, short, describeLeftOut(document)]).toEqual([name, short, undefined]);
    }
  }
});

test("each part that has bounds is what they need", () => {
  const parts = scenarios.flatMap(({ name, options }) =>
    options.some((option) => option.name === "parts") ? [name] : [],
  );
  const unneedy = bounds.filter(({ scenario, needs }) => parts.includes(scenario) && !needs?.parts);
  expect([parts, unneedy]).toEqual([["mod-runner", "toolchain"], []]);
});

test("where what cannot be beaten misses the bound, the check says so and still fails", () => {
  const document = createTopologyExample();
  const comparisons = document.comparisons.filter(({ group }) => group === "everything");
  const [ours] = comparisons;
  const check = (ceilingRatio: number) => {
    const ceiling = { ...ours!, side: "ideal", ratio: ceilingRatio };
    const limited = { ...bound, ceiling: "ideal", atLeast: 3 };
    return checkBounds({ ...document, comparisons: [...comparisons, ceiling] }, [limited]).map(
      describeBoundCheck,
    );
  };
  const what = "pssKib: shared against own, everything: 1.87×, must be ≥ 3.00×";
  expect([check(2), check(4)]).toEqual([[`✗ ${what} (out of reach here: ideal has 2.00×)`], [`✗ ${what}`]]);
});

test("a side that is as quick as the floor meets every bound above it", () => {
  const document = createTopologyExample();
  const withFloor = { ...bound, floor: "none" };
  const [comparison] = document.comparisons.filter(({ group }) => group === "everything");
  const check = (side: number) =>
    checkBounds(
      {
        ...document,
        comparisons: [{ ...comparison!, floor: "none", medians: { side, baseline: -1 }, ratio: null }],
      },
      [withFloor],
    ).map(({ ok }) => ok);
  expect([check(0), check(1)]).toEqual([[true], [false]]);
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
