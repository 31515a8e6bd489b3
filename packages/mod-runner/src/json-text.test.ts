import { expect, test } from "vitest";
import { formatJson, measureDepth } from "./json-text.ts";

test.each<[unknown, number]>([
  [1, 0],
  ['[{"\\"[[[', 0],
  [{}, 1],
  [["]", '\\"', { a: [] }], 3],
  [{ "[{": ["\\", [1]] }, 3],
])("%j is %d deep", (value, depth) => {
  expect(measureDepth(JSON.stringify(value))).toBe(depth);
});

test("undefined is null", () => {
  expect(formatJson(undefined, 10, 1)).toBe("null");
});

test.each<[string, unknown, string]>([
  ["a function", () => 1, "a function is not JSON"],
  ["a cycle", Object.assign([], { 0: globalThis }), "circular"],
  ["a BigInt", 1n, "BigInt"],
  ["more bytes", "üüüüü", "it has 12 bytes as JSON, expected at most 10"],
  ["more levels", [[[]]], "it is nested 3 deep, expected at most 2"],
])("%s is refused", (_, value, message) => {
  expect(() => formatJson(value, 10, 2)).toThrow(message);
});
