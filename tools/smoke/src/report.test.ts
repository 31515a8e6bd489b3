import { expect, test } from "vitest";
import { findExternalFailure, formatEvent, formatReport, formatRuntime, isOk } from "./report.ts";
import type { SmokeReport } from "./types.ts";

const report: SmokeReport = {
  version: 1,
  results: [
    {
      runtime: "node24",
      runtimeVersion: "24.0.0",
      packageManager: "npm 11.0.0",
      ok: true,
      durationMs: 4200,
      checks: [
        { name: "install", status: "passed", durationMs: 3100 },
        {
          name: "sdk turn",
          status: "skipped",
          durationMs: 0,
          message: "@codex-js/sdk is not among the packages",
        },
      ],
    },
    {
      runtime: "bun",
      runtimeVersion: "1.4.0",
      packageManager: "bun 1.4.0",
      ok: false,
      durationMs: 900,
      checks: [
        { name: "install", status: "failed", durationMs: 900, message: "no space left\nlast line" },
        { name: "sdk turn", status: "skipped", durationMs: 0, message: "nothing is installed" },
      ],
    },
  ],
};

test("the table, then what failed with its last output", () => {
  expect(formatReport(report)).toBe(`runtime  version  package manager  install   sdk turn    took
───────  ───────  ───────────────  ────────  ────────  ──────
node24   24.0.0   npm 11.0.0       ✓ 3.1 s   -          4.2 s
bun      1.4.0    bun 1.4.0        ✗ 900 ms  -         900 ms

✗ bun, install: no space left
last line
`);
});

test("one failed check makes the report not ok", () => {
  expect([isOk(report), isOk({ version: 1, results: report.results.slice(0, 1) })]).toEqual([false, true]);
});

test("a log line for each event", () => {
  const event = { runtime: "bun", check: "types", detail: "why" };
  const states = ["start", "ok", "failed", "skipped"] as const;
  expect(states.map((state) => formatEvent({ ...event, state }))).toEqual([
    "… bun: types",
    "✓ bun: types",
    "✗ bun: types",
    "- bun: types skipped, why",
  ]);
});

test("a line for each runtime that is done", () => {
  expect(report.results.map(formatRuntime)).toEqual(["✓ node24 (4.2 s)", "✗ bun: install failed (900 ms)"]);
});

test("a failure counts as external when every runtime that failed has one", () => {
  const [good, bad] = report.results;
  const prevented = {
    ...bad!,
    checks: [{ name: "install", status: "failed", durationMs: 1, message: "down", external: true } as const],
  };
  const find = (...results: SmokeReport["results"]) => findExternalFailure({ version: 1, results })?.message;
  expect([find(good!, prevented), find(prevented, bad!), find(bad!)]).toEqual(["down", undefined, undefined]);
});
