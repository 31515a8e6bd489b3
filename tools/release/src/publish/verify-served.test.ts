import { expect, test } from "vitest";
import { findLocalRanges } from "./verify-served.ts";

test("ranges that only this workspace can resolve are found in every field of dependencies", () => {
  expect(
    findLocalRanges({
      description: "workspace: is a word here",
      dependencies: { a: "workspace:^", b: "^1.0.0" },
      optionalDependencies: { c: "npm:d@1.0.0" },
      devDependencies: { e: "catalog:build" },
    }),
  ).toEqual([
    `the registry's manifest has dependencies > a: "workspace:^"`,
    `the registry's manifest has devDependencies > e: "catalog:build"`,
  ]);
});
