import { expect, test } from "vitest";
import { findRepeatedKeys, formatJson, measureDepth } from "./json-text.ts";

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

test.each<[string, string[]]>([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', []],
  ['{"a":"a","b":"a\\"a\\":"}', []],
  ['{"a" : 1, "\\u0061"\n:2, "b":{"c":1,"d":[],"c":"c"}}', ['"a"', '"c"']],
  ['{"__proto__":1,"__proto__":2}', ['"__proto__"']],
])("keys that are there twice in %s", (json, keys) => {
  expect(findRepeatedKeys(json)).toEqual(keys);
});

test("a key __proto__ is refused at any depth, and no other text that looks like it", () => {
  for (const json of ['{"__proto__":1}', '[{"a":1,"__proto__":{}}]']) {
    expect(() => formatJson(JSON.parse(json), 100, 5)).toThrow("it has a key __proto__");
  }
  const fine = { 'x"__proto__': 1, '{"__proto__': '{"__proto__":1}', __proto: ["__proto__"] };
  expect(JSON.parse(formatJson(fine, 200, 5))).toEqual(fine);
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
