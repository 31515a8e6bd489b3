import { access, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import {
  parseReport,
  type ReleaseReport,
  releaseReport,
  type VitestReport,
  vitestReport,
} from "./report-shapes.ts";

/** What one runner says of itself. */
export interface Tally {
  /** Where it was read: a path below the root, or a step's name. */
  source: string;
  passed: number;
  failed: number;
  skipped: number;
  /** Why something counts as failed or skipped that no runner reported; printed, so that nobody has to guess. */
  remark?: string;
}

/**
 * Reads the vitest report of every workspace package that has a `test` script. A package whose report is
 * missing or broken counts as one failure: tests that did not run must not look like tests that passed.
 * @throws ToolError CODEX_JS_CI_MANIFEST_BROKEN (external)
 */
export async function readTestReports(root: string): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const dir of await listPackageDirs(root)) {
    if (!(await hasTests(join(dir, "package.json")))) continue;
    tallies.push(await readTestReport(root, join(dir, ".reports", "vitest.json")));
  }
  return tallies;
}

async function readTestReport(root: string, file: string): Promise<Tally> {
  const source = relative(root, file);
  const text = await readText(file);
  if (text === undefined) return createFailure(source, "no report: its tests did not run");
  const parsed = parseReport(vitestReport, text);
  return "fault" in parsed ? createFailure(source, parsed.fault) : tallyTests(source, parsed.report);
}

function tallyTests(source: string, report: VitestReport): Tally {
  const failedFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  ).length;
  const tally: Tally = {
    source,
    passed: report.numPassedTests,
    // A file that broke before its first test has no failed test to count.
    failed: report.numFailedTests + failedFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  if (tally.passed + tally.failed === 0) return { ...tally, failed: 1, remark: "no test ran" };
  if (!report.success && tally.failed === 0)
    return { ...tally, failed: 1, remark: "vitest reports an error outside of the tests" };
  return tally;
}

/**
 * Reads the report of `pnpm release --json`: every gate and every smoke check counts as one. A report that is
 * missing or broken counts as one failure.
 */
export async function readReleaseReport(root: string, file: string): Promise<Tally[]> {
  const source = relative(root, file);
  const text = (await readText(file)) ?? "";
  if (text.trim() === "") return [createFailure(source, "the rehearsal wrote no report")];
  const parsed = parseReport(releaseReport, text);
  return "fault" in parsed ? [createFailure(source, parsed.fault)] : tallyRelease(source, parsed.report);
}

function tallyRelease(source: string, { ok, gates, smokes, leftOut }: ReleaseReport): Tally[] {
  const tallies = [
    ...leftOut.map(({ name, reason }) => createSkip(`${source} ${name}`, reason)),
    tallyChecks(`${source} gates`, gates),
    ...smokes.map(({ runtime, checks }) => tallyChecks(`${source} ${runtime}`, checks)),
  ];
  if (smokes.length === 0) tallies.push(createFailure(`${source} smokes`, "nothing was checked"));
  if (!ok && tallies.every(({ failed }) => failed === 0))
    tallies.push(createFailure(source, "the rehearsal failed outside of gates and smokes"));
  return tallies;
}

function tallyChecks(source: string, checks: readonly { status: string }[]): Tally {
  const count = (state: string) => checks.filter(({ status }) => status === state).length;
  const tally = { source, passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  return checks.length === 0 ? { ...tally, failed: 1, remark: "nothing was checked" } : tally;
}

function createSkip(source: string, remark: string): Tally {
  return { source, passed: 0, failed: 0, skipped: 1, remark };
}

function createFailure(source: string, remark: string): Tally {
  return { source, passed: 0, failed: 1, skipped: 0, remark };
}

/** The folders of packages, and of those that lie within one of them. */
async function listPackageDirs(root: string): Promise<string[]> {
  const dirs: string[] = [];
  for (const group of ["packages", "tools"]) {
    for (const dir of await listPackagesIn(join(root, group))) {
      dirs.push(dir, ...(await listPackagesIn(dir)));
    }
  }
  return dirs.sort();
}

async function listPackagesIn(parent: string): Promise<string[]> {
  const dirs: string[] = [];
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const dir = join(parent, entry.name);
    if (entry.isDirectory() && (await exists(join(dir, "package.json")))) dirs.push(dir);
  }
  return dirs;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Undefined when it cannot be read, for whatever reason. */
function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

async function hasTests(file: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(file, "utf8")) as { scripts?: { test?: string } };
    return manifest.scripts?.test !== undefined;
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_MANIFEST_BROKEN",
      message: `${file} is no package manifest`,
      hint: `mend ${file}`,
      exitCode: exitCodes.external,
      cause,
    });
  }
}
