import { expect, test } from "vitest";
import { parseOutput } from "./type-check.ts";

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
