import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeRealm } from "../realm/test-realm.ts";
import { allCases } from "./all-cases.ts";
import { type Comparison, compareOutcomes, type Explanation } from "./compare.ts";
import { type Outcomes, runCases } from "./run-cases.ts";
import { findSides, type RunningSide } from "./sides.ts";

const BUILD_MS = 600_000;
const LEAST_CASES = 1000;

const areas = allCases();
const explanations = JSON.parse(await readFile(new URL("./differences.json", import.meta.url), "utf8")) as {
  version: 1;
  differences: Explanation[];
};
const node = createNodeRealm();
const nodeOutcomes: { [area: string]: Promise<Outcomes> } = {};

it("asks the Node that the explanations were written for", () => {
  expect(process.version).toMatch(/^v24\./);
});

it("has enough cases, each with a name of its own, and explains only cases that exist", () => {
  const ids = Object.values(areas).flatMap((cases) => cases.map(({ id }) => id));
  expect(ids.length).toBeGreaterThanOrEqual(LEAST_CASES);
  expect(new Set(ids).size).toBe(ids.length);
  const explained = explanations.differences.flatMap(({ cases }) => cases);
  expect(explained.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(explained).size).toBe(explained.length);
});

for (const { name, missing, start } of await findSides(process.env)) {
  const reason = missing === undefined ? "" : `: ${missing}`;
  describe.skipIf(missing)(`the same programs on ${name} and on Node's own Web Crypto${reason}`, () => {
    let side: RunningSide;
    const counts: { [area: string]: Omit<Comparison, "problems"> } = {};

    beforeAll(async () => {
      side = await start();
    }, BUILD_MS);

    afterAll(async () => {
      await side?.stop();
      const total = sum(counts);
      console.log(JSON.stringify({ version: 1, side: name, node: process.version, total, areas: counts }));
    });

    it.each(Object.keys(areas))("agrees in every case of %s that is not explained", async (area) => {
      const cases = areas[area]!;
      const ids = new Set(cases.map(({ id }) => id));
      const known = explanations.differences.map((explanation) => ({
        ...explanation,
        cases: explanation.cases.filter((id) => ids.has(id)),
      }));
      nodeOutcomes[area] ??= runCases(node, cases);
      const { problems, ...count } = compareOutcomes(
        cases,
        await side.run(cases),
        await nodeOutcomes[area],
        known,
      );
      counts[area] = count;
      expect(problems).toEqual([]);
    });
  });
}

function sum(counts: { [area: string]: Omit<Comparison, "problems"> }) {
  const all = Object.values(counts);
  const total = (key: "cases" | "equal" | "explained") => all.reduce((count, area) => count + area[key], 0);
  return { cases: total("cases"), equal: total("equal"), explained: total("explained") };
}
