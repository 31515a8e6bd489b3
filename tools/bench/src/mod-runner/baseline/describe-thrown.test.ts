import { expect, test } from "vitest";
import { describeThrown } from "./describe-thrown.ts";

const files = new Map([["lib/a.ts", { path: "lib/a.ts", source: "" }]]);

function createError(name: string, stack: string): Error {
  return Object.assign(new Error("no"), { name, stack });
}

test("frames of the mod's own files alone, the first one as the place", () => {
  const stack = [
    "TypeError: no",
    "    at inner (lib/a.ts:3:9)",
    "    at lib/a.ts:7:1",
    "    at call (realm.js:40:21)",
    "    at new Promise (<anonymous>)",
  ].join("\n");
  expect(describeThrown(createError("TypeError", stack), "mod", files)).toEqual({
    code: "mod_error",
    message: "no",
    name: "TypeError",
    location: { module: "lib/a.ts", line: 3, column: 9 },
    stack: [
      { function: "inner", module: "lib/a.ts", line: 3, column: 9 },
      { module: "lib/a.ts", line: 7, column: 1 },
    ],
  });
});

test("a syntax error has its place before the message", () => {
  const stack = "lib/a.ts:2\nlet = = 1\n    ^\n\nSyntaxError: no";
  expect(describeThrown(createError("SyntaxError", stack), "link", files)).toEqual({
    code: "mod_syntax_error",
    message: "no",
    name: "SyntaxError",
    location: { module: "lib/a.ts", line: 2, column: 5 },
  });
});

test("what is no error is shown as text", () => {
  expect(describeThrown(null, "mod", files)).toEqual({
    code: "mod_error",
    message: "null",
    name: "Error",
    stack: [],
  });
});
