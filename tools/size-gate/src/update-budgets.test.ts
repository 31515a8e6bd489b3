import { expect, test } from "vitest";
import type { PackageSizes, SizeBudgets, SizeReport } from "./types.ts";
import { updateBudgets } from "./update-budgets.ts";

const sizes = (name: string, files: Record<string, number>): PackageSizes => ({
  name,
  version: "1.0.0",
  packedBytes: 400,
  unpackedBytes: 5000,
  files: Object.entries(files).map(([path, sizeBytes]) => ({ path, sizeBytes })),
  budget: null,
  lastRelease: { status: "first-release" },
  problems: [],
});

test("files follow the tarball, totals stay, a new package gets both", () => {
  const before: SizeBudgets = {
    version: 1,
    growthPercent: 10,
    packages: {
      old: {
        packedBytes: 100,
        unpackedBytes: 200,
        files: { kept: 1000, raised: 10, gone: 5 },
        growthPercent: 50,
      },
    },
    bundles: [{ package: "old", import: "{ A }", brotliBytes: 1 }],
  };
  const packages = [sizes("old", { kept: 900, raised: 11, added: 4000 }), sizes("new", { x: 5000 })];
  const report: SizeReport = {
    version: 1,
    verdict: "failed",
    checks: { passed: 0, failed: 0, skipped: 0 },
    packages,
    bundles: [],
    leftOut: [],
    problems: [],
  };
  expect(updateBudgets(before, report)).toEqual({
    budgets: {
      ...before,
      packages: {
        old: {
          packedBytes: 100,
          unpackedBytes: 200,
          files: { kept: 1000, raised: 100, added: 4400 },
          growthPercent: 50,
        },
        new: { packedBytes: 500, unpackedBytes: 5500, files: { x: 5500 } },
      },
    },
    changes: [
      "old: added new → 4400 B",
      "old: gone 5 B → gone",
      "old: raised 10 B → 100 B",
      "new: new, 500 B packed, 5500 B unpacked",
    ],
  });
});
