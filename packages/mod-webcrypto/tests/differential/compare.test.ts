import { describe, expect, it } from "vitest";
import { compareOutcomes, type Explanation } from "./compare.ts";

const VALUE = '{"value":1}';
const OTHER = '{"value":2}';
const ERROR = '{"error":"DataError","dom":true}';
const CASES = [{ id: "one", program: "" }];
const EXPLAINED: Explanation = { reason: "known", ours: "DataError", node: "value", cases: ["one"] };

function compare(ours: string, node: string, explanations: Explanation[]) {
  return compareOutcomes(CASES, new Map([["one", ours]]), new Map([["one", node]]), explanations);
}

describe("compareOutcomes", () => {
  it("counts equal and explained outcomes", () => {
    expect(compare(VALUE, VALUE, [])).toEqual({ cases: 1, equal: 1, explained: 0, problems: [] });
    expect(compare(ERROR, VALUE, [EXPLAINED])).toEqual({ cases: 1, equal: 0, explained: 1, problems: [] });
  });

  it("reports a difference that nobody explained", () => {
    expect(compare(VALUE, OTHER, []).problems).toEqual([`one: ours ${VALUE}, Node's ${OTHER}`]);
  });

  it("reports an explained difference that has vanished", () => {
    expect(compare(VALUE, VALUE, [EXPLAINED]).problems).toEqual([
      "one: explained, but there is no difference",
    ]);
  });

  it("reports an explained difference that looks otherwise", () => {
    expect(compare(VALUE, ERROR, [EXPLAINED]).problems).toEqual([`one: ours ${VALUE}, Node's ${ERROR}`]);
  });

  it("reports an explanation of a case that does not exist", () => {
    const gone = { ...EXPLAINED, cases: ["two"] };
    expect(compare(VALUE, VALUE, [gone]).problems).toEqual(["two: explained, but there is no such case"]);
  });
});
