import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOperationServer, missingCargo } from "../native/build-crate.ts";
import { type NativeBridge, startNativeBridge } from "../native/native-bridge.ts";
import { bundleLayer, createLayerRealm, createNodeRealm, type Realm } from "../realm/test-realm.ts";
import { allCases } from "./all-cases.ts";
import { type Comparison, compareOutcomes, type Explanation } from "./compare.ts";
import { runCases } from "./run-cases.ts";

const BUILD_MS = 600_000;
const LEAST_CASES = 1000;
const missing = await missingCargo();

const areas = allCases();
const explanations = JSON.parse(await readFile(new URL("./differences.json", import.meta.url), "utf8")) as {
  version: 1;
  differences: Explanation[];
};

describe.skipIf(missing)(
  `the same programs on our layer and on Node's own Web Crypto${missing === undefined ? "" : `: ${missing}`}`,
  () => {
    let bridge: NativeBridge;
    let ours: Realm;
    const node = createNodeRealm();
    const counts: { [area: string]: Omit<Comparison, "problems"> } = {};

    beforeAll(async () => {
      bridge = startNativeBridge(await buildOperationServer());
      ours = createLayerRealm(await bundleLayer(), bridge);
    }, BUILD_MS);

    afterAll(async () => {
      await bridge?.stop();
      console.log(JSON.stringify({ version: 1, node: process.version, total: sum(counts), areas: counts }));
    });

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

    it.each(Object.keys(areas))("agrees in every case of %s that is not explained", async (area) => {
      const cases = areas[area]!;
      const ids = new Set(cases.map(({ id }) => id));
      const known = explanations.differences.map((explanation) => ({
        ...explanation,
        cases: explanation.cases.filter((id) => ids.has(id)),
      }));
      const outcomes = await runCases(ours, cases);
      const { problems, ...count } = compareOutcomes(cases, outcomes, await runCases(node, cases), known);
      counts[area] = count;
      expect(problems).toEqual([]);
    });
  },
);

function sum(counts: { [area: string]: Omit<Comparison, "problems"> }) {
  const all = Object.values(counts);
  const total = (key: "cases" | "equal" | "explained") => all.reduce((count, area) => count + area[key], 0);
  return { cases: total("cases"), equal: total("equal"), explained: total("explained") };
}
