import { expect, test } from "vitest";
import { pickSchemas } from "../scripts/pick-schemas.ts";

test("takes what is reached, without what is for people", () => {
  const $defs = {
    A: { description: "a", type: "object", properties: { b: { description: "b", $ref: "#/$defs/B" } } },
    B: { oneOf: [{ type: "null" }, { $ref: "#/$defs/A" }] },
    C: { type: "string" },
  };
  expect(pickSchemas({ $defs }, "A")).toEqual({
    A: { type: "object", properties: { b: { $ref: "B" } } },
    B: { oneOf: [{ type: "null" }, { $ref: "A" }] },
  });
});

test("a keyword that would go unchecked is an error", () => {
  expect(() => pickSchemas({ $defs: { A: { properties: { b: { multipleOf: 2 } } } } }, "A")).toThrow(
    "A.b has the keyword multipleOf",
  );
});
