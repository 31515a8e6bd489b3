import { expect, test } from "vitest";
import { findJsonFault } from "./json-faults.ts";

test.each<[string, number, string | undefined]>([
  ["1", 0, undefined],
  ["[]", 0, "more nesting than is allowed"],
  ["[[1]]", 2, undefined],
  ['[{"a":[]}]', 2, "more nesting than is allowed"],
  ['{"a":[{"__proto__":null}]}', 9, "a key __proto__"],
  ['{"proto__":"__proto__"}', 9, undefined],
])("%s within %d: %s", (json, depth, fault) => {
  expect(findJsonFault(JSON.parse(json), depth)).toBe(fault);
});

test("100,000 levels are no overflow of this side's stack", () => {
  const json = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(findJsonFault(JSON.parse(json), 128)).toBe("more nesting than is allowed");
});
