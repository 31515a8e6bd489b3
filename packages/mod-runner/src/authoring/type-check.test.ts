import { expect, test } from "vitest";
import { adviseProblem, parseOutput } from "./type-check.ts";

test("takes the compiler's lines apart, those that go on with one before among them", () => {
  const output = [
    "main.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "lib/a(1).ts(1,2): error TS2345: Argument of type '{ a: 1; }'.",
    "  Property 'b' is missing.",
    "error TS5083: Cannot read file.",
    "",
  ].join("\n");
  expect(parseOutput(output)).toEqual([
    {
      code: "TS2322",
      message: "Type 'string' is not assignable to type 'number'.",
      file: "main.ts",
      line: 3,
      column: 7,
    },
    {
      code: "TS2345",
      message: "Argument of type '{ a: 1; }'.\n  Property 'b' is missing.",
      file: "lib/a(1).ts",
      line: 1,
      column: 2,
    },
    { code: "TS5083", message: "Cannot read file." },
  ]);
});

test("the compiler's advice to install or to include something gives way to what a mod can do", () => {
  const tell = (message: string) => adviseProblem({ code: "TS", message }, "/nowhere");
  expect(
    tell("Cannot find name 'fetch'. Do you need to change your target library? Try changing the 'lib'."),
  ).toMatchObject({ message: "Cannot find name 'fetch'.", hint: expect.stringContaining("host.call(") });
  expect(
    tell("Could not find a declaration file for module 'x'. 'x.js' has an 'any' type.\n  Try `npm i x`"),
  ).toMatchObject({
    message: "Could not find a declaration file for module 'x'. 'x.js' has an 'any' type.",
    hint: expect.stringContaining("@codex-js/mod-runner/realm"),
  });
  expect(tell("Cannot find name 'misspelt'.")).toEqual({
    code: "TS",
    message: "Cannot find name 'misspelt'.",
  });
});
