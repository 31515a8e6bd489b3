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
      "tools/e/package.json": withTests,
      "tools/e/.reports/vitest.json": report(2, 0, { success: false }),
    });
    expect(await readTestReports(root)).toEqual([
      { source: join("packages/a/.reports/vitest.json"), passed: 3, failed: 1, skipped: 1 },
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

test("a report without its figures is an error, not a zero", async () => {
  await withTempDir("codex-js-ci", async (root) => {
    await writeTree(root, {
      "packages/a/package.json": withTests,
      "packages/a/.reports/vitest.json": { success: true },
      "tools/x": "",
    });
    await expect(readTestReports(root)).rejects.toMatchObject({ code: "CODEX_JS_CI_REPORT_BROKEN" });
  });
});

test("every gate and smoke check of the rehearsal counts; an empty or missing report is a failure", async () => {
  await withTempDir("codex-js-ci", async (root) => {
    await writeTree(root, {
      "release.json": {
        gates: [{ status: "passed" }, { status: "failed" }],
        smokes: [{ runtime: "bun", checks: [{ status: "passed" }, { status: "skipped" }] }],
      },
      "empty.json": {},
    });
    expect(await readReleaseReport(root, join(root, "release.json"))).toEqual([
      { source: "release.json gates", passed: 1, failed: 1, skipped: 0 },
      { source: "release.json bun", passed: 1, failed: 0, skipped: 1 },
    ]);
    expect(await readReleaseReport(root, join(root, "empty.json"))).toMatchObject([
      { failed: 1, remark: "nothing was checked" },
    ]);
    expect(await readReleaseReport(root, join(root, "absent.json"))).toMatchObject([
      { failed: 1, remark: "the rehearsal wrote no report" },
    ]);
  });
});
