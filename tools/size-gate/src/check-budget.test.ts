import type { PackedTarball, Problem } from "@codex-js/pack";
import { expect, test } from "vitest";
import { checkBudgetNames, checkGrowth, checkPackageBudget } from "./check-budget.ts";

const tarball: PackedTarball = {
  name: "a",
  version: "2.0.0",
  file: "/a.tgz",
  filename: "a.tgz",
  integrity: "sha512-",
  sha256: "",
  packedBytes: 1100,
  unpackedBytes: 2201,
  files: [
    { path: "dist/a.js", sizeBytes: 2000, mode: 0o644 },
    { path: "package.json", sizeBytes: 201, mode: 0o644 },
  ],
  manifest: { name: "a", version: "2.0.0" },
};
const budget = { packedBytes: 1100, unpackedBytes: 2201, files: { "dist/a.js": 2000, "package.json": 201 } };
const texts = (problems: Problem[]) =>
  problems.map(
    ({ package: name, code, message }) => `${name} ${code.replace("CODEX_JS_SIZE_", "")}: ${message}`,
  );

test("exactly at its limits is within budget", () => {
  expect(checkPackageBudget(tarball, budget)).toEqual([]);
});

test("both totals, each file, unknown and missing files are all reported", () => {
  const tight = { packedBytes: 1000, unpackedBytes: 1000, files: { "package.json": 200, "dist/gone.js": 1 } };
  expect(texts(checkPackageBudget(tarball, tight))).toEqual([
    "a OVER_BUDGET: packed: 1,100 B, which is 100 B over its budget of 1,000 B",
    "a OVER_BUDGET: unpacked: 2,201 B, which is 1,201 B over its budget of 1,000 B",
    "a UNKNOWN_FILE: dist/a.js (2.0 kB) is in the tarball, but no budget knows it",
    "a OVER_BUDGET: package.json: 201 B, which is 1 B over its budget of 200 B",
    "a MISSING_FILE: dist/gone.js has a budget, but is not in the tarball",
  ]);
});

test("a public package without a budget fails", () => {
  expect(texts(checkPackageBudget(tarball, undefined))).toEqual([
    "a NO_BUDGET: it is published, but budgets.json has no budget for it",
  ]);
});

test("growth counts from the last release, up to and including the allowance", () => {
  const last = {
    status: "published",
    version: "1.0.0",
    packedBytes: 1000,
    unpackedBytes: 2000,
    fileCount: 2,
  } as const;
  expect(texts(checkGrowth("a", tarball, last, 10))).toEqual([
    "a GROWTH: unpacked: 2,201 B, which is 201 B (10.1 %) more than 1.0.0; allowed are 10 %",
  ]);
  expect(checkGrowth("a", tarball, last, 11)).toEqual([]);
  expect(checkGrowth("a", tarball, { status: "first-release" }, 0)).toEqual([]);
  expect(checkGrowth("a", tarball, { status: "unknown", reason: "offline" }, 0)).toEqual([]);
});

test("a budget for a package that is gone is a problem", () => {
  expect(texts(checkBudgetNames(["a", "b", "b"], ["a"]))).toEqual([
    "b STALE_BUDGET: budgets.json names it, but it is no public package of this workspace",
  ]);
});
