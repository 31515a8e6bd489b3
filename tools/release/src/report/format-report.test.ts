import { expect, test } from "vitest";
import { formatMarkdown, formatReport } from "./format-report.ts";
import type { ReleaseReport } from "./report.ts";

const report: ReleaseReport = {
  version: 1,
  ok: true,
  target: "rehearsal",
  commit: "c0ffee",
  dirty: false,
  durationMs: 65_000,
  files: { tarballsDir: "/out/tarballs", report: "/out/report.json" },
  steps: [{ name: "plan", status: "passed", durationMs: 120 }],
  packages: [
    {
      name: "@x/a",
      version: "1.0.0",
      integrity: "sha512-a",
      sha256: "aa",
      packedBytes: 1234,
      unpackedBytes: 45_678,
      files: 5,
      state: "already-there",
    },
  ],
  leftOut: [],
  gates: [],
  smokes: [
    {
      runtime: "bun",
      runtimeVersion: "1.4.5",
      packageManager: "bun 1.4.5",
      ok: true,
      durationMs: 900,
      checks: [
        { name: "install", status: "passed", durationMs: 1 },
        { name: "types", status: "skipped", durationMs: 0 },
      ],
    },
  ],
};

test("tables for people", () => {
  expect(formatReport(report)).toBe(`
package  version  packed  unpacked  files  state
───────  ───────  ──────  ────────  ─────  ─────────────────────────
@x/a     1.0.0    1.2 kB   45.7 kB      5  already there, same bytes

runtime                install  types  took
─────────────────────  ───────  ─────  ──────
bun 1.4.5 (bun 1.4.5)  ✓        -      900 ms

step       took
────  ─────────
plan     120 ms
all   1 min 5 s

The rehearsal is complete: 0 published, 1 already there; smokes passed on bun
tarballs: /out/tarballs
report: /out/report.json
`);
});

test("a release that failed early shows what there is", () => {
  const failed = { ...report, ok: false, packages: [], smokes: [] };
  expect(formatMarkdown(failed)).toBe(
    "## The rehearsal failed\n\n| step | took |\n| --- | --- |\n| plan | 120 ms |\n| all | 1 min 5 s |\n",
  );
});
