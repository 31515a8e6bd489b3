import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { readReleaseReport, readTestReports } from "./read-reports.ts";

const withTests = { scripts: { test: "vitest run" } };
const report = (passed: number, failed: number, extra = {}) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 1,
  numTodoTests: 0,
  success: failed === 0,
  testResults: [],
  ...extra,
});

async function writeTree(root: string, files: Record<string, unknown>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
}

test("sums vitest's own reports, and what did not run counts as failed", async () => {
  await withTempDir("codex-js-ci", async (root) => {
    await writeTree(root, {
      "packages/a/package.json": withTests,
      "packages/a/.reports/vitest.json": report(3, 1),
      "packages/b/package.json": withTests,
      "packages/no-tests/package.json": {},
      "tools/c/package.json": withTests,
      "tools/c/.reports/vitest.json": report(0, 0),
      "tools/d/package.json": withTests,
      "tools/d/.reports/vitest.json": report(2, 0, {
        success: false,
        testResults: [{ status: "failed", assertionResults: [] }],
      }),
      "packages/a/within/package.json": withTests,
      "packages/a/within/.reports/vitest.json": report(5, 0),
      "tools/e/package.json": withTests,
      "tools/e/.reports/vitest.json": report(2, 0, { success: false }),
    });
    expect(await readTestReports(root)).toEqual([
      { source: join("packages/a/.reports/vitest.json"), passed: 3, failed: 1, skipped: 1 },
      { source: join("packages/a/within/.reports/vitest.json"), passed: 5, failed: 0, skipped: 1 },
      {
        source: join("packages/b/.reports/vitest.json"),
        passed: 0,
        failed: 1,
        skipped: 0,
        remark: "no report: its tests did not run",
      },
      {
        source: join("tools/c/.reports/vitest.json"),
        passed: 0,
        failed: 1,
        skipped: 1,
        remark: "no test ran",
      },
      { source: join("tools/d/.reports/vitest.json"), passed: 2, failed: 1, skipped: 1 },
      {
        source: join("tools/e/.reports/vitest.json"),
        passed: 2,
        failed: 1,
        skipped: 1,
        remark: "vitest reports an error outside of the tests",
      },
    ]);
  });
});

test.each([
  ["no JSON", "{", "the report is no JSON"],
  ["null", "null", "the report is broken"],
  ["without figures", { success: true }, "numPassedTests"],
  ["with another kind of figures", report(Number.MAX_VALUE, 0), "numPassedTests"],
  ["with results that are no list", report(1, 0, { testResults: {} }), "testResults"],
  ["with results of nothing", report(1, 0, { testResults: [null] }), "testResults[0]"],
])("a report %s is a failure that says so, and the others still count", async (_, broken, said) => {
  await withTempDir("codex-js-ci", async (root) => {
    await writeTree(root, {
      "packages/a/package.json": withTests,
      "packages/a/.reports/vitest.json": broken,
      "tools/b/package.json": withTests,
      "tools/b/.reports/vitest.json": report(2, 0),
    });
    expect(await readTestReports(root)).toEqual([
      expect.objectContaining({ passed: 0, failed: 1, remark: expect.stringContaining(said) }),
      expect.objectContaining({ passed: 2, failed: 0 }),
    ]);
  });
});

test("every gate and smoke check of the rehearsal counts", async () => {
  await withTempDir("codex-js-ci", async (root) => {
    await writeTree(root, {
      "release.json": {
        ok: false,
        gates: [{ status: "passed" }, { status: "failed" }],
        leftOut: [{ name: "a-darwin-arm64", reason: "it is built elsewhere" }],
        smokes: [{ runtime: "bun", checks: [{ status: "passed" }, { status: "skipped" }] }],
      },
    });
    expect(await readReleaseReport(root, join(root, "release.json"))).toEqual([
      {
        source: "release.json a-darwin-arm64",
        passed: 0,
        failed: 0,
        skipped: 1,
        remark: "it is built elsewhere",
      },
      { source: "release.json gates", passed: 1, failed: 1, skipped: 0 },
      { source: "release.json bun", passed: 1, failed: 0, skipped: 1 },
    ]);
  });
});

const gates = [{ status: "passed" }];
const smokes = [{ runtime: "bun", checks: [{ status: "passed" }] }];

test.each([
  ["that is empty", "", "the rehearsal wrote no report"],
  ["that is no JSON", "Done", "the report is no JSON"],
  ["that is a list", [], "the report is broken"],
  ["without anything", {}, "the report is broken: ok"],
  ["whose gates are no list", { ok: true, gates: {}, smokes }, "gates: "],
  ["whose gate is nothing", { ok: true, gates: [null], smokes }, "gates[0]: "],
  ["whose gate is in no known state", { ok: true, gates: [{ status: "?" }], smokes }, "gates[0].status: "],
  ["whose smoke has no checks", { ok: true, gates, smokes: [{ runtime: "bun" }] }, "smokes[0].checks: "],
  ["whose checks are a word", { ok: true, gates, smokes: [{ runtime: "bun", checks: "all" }] }, "checks: "],
  ["without a gate", { ok: true, gates: [], smokes }, "nothing was checked"],
  ["without a smoke", { ok: true, gates, smokes: [] }, "nothing was checked"],
  ["of a failure elsewhere", { ok: false, gates, smokes }, "failed outside of gates and smokes"],
])("a report of the rehearsal %s is a failure that says why", async (_, content, said) => {
  await withTempDir("codex-js-ci", async (root) => {
    await writeTree(root, { "release.json": content });
    const tallies = await readReleaseReport(root, join(root, "release.json"));
    expect(tallies.filter(({ failed }) => failed > 0)).toEqual([
      expect.objectContaining({ failed: 1, remark: expect.stringContaining(said) }),
    ]);
  });
});

test("a report of the rehearsal that is not there is a failure", async () => {
  await withTempDir("codex-js-ci", async (root) => {
    expect(await readReleaseReport(root, join(root, "absent.json"))).toMatchObject([
      { failed: 1, remark: "the rehearsal wrote no report" },
    ]);
  });
});
