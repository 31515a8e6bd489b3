import { access, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/** What one runner says of itself. */
export interface Tally {
  /** Where it was read: a path below the root, or a step's name. */
  source: string;
  passed: number;
  failed: number;
  skipped: number;
  /** Why something counts as failed that no runner reported; printed, so that nobody has to guess. */
  remark?: string;
}

/**
 * Reads the vitest report of every workspace package that has a `test` script. A package whose report is
 * missing counts as one failure: tests that did not run must not look like tests that passed.
 */
export async function readTestReports(root: string): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const dir of await listPackageDirs(root)) {
    const manifest = await readJson(join(dir, "package.json"));
    if (manifest.scripts?.test === undefined) continue;
    tallies.push(await readTestReport(root, join(dir, ".reports", "vitest.json")));
  }
  return tallies;
}

async function readTestReport(root: string, file: string): Promise<Tally> {
  const source = relative(root, file);
  if (!(await exists(file)))
    return { source, passed: 0, failed: 1, skipped: 0, remark: "no report: its tests did not run" };
  const report = await readJson(file);
  const failedFiles = (report.testResults ?? []).filter(
    (result: { status: string; assertionResults: unknown[] }) =>
      result.status === "failed" && result.assertionResults.length === 0,
  ).length;
  const tally: Tally = {
    source,
    passed: readCount(report, "numPassedTests", file),
    // A file that broke before its first test has no failed test to count.
    failed: readCount(report, "numFailedTests", file) + failedFiles,
    skipped: readCount(report, "numPendingTests", file) + readCount(report, "numTodoTests", file),
  };
  if (tally.passed + tally.failed === 0) return { ...tally, failed: 1, remark: "no test ran" };
  if (report.success === false && tally.failed === 0)
    return { ...tally, failed: 1, remark: "vitest reports an error outside of the tests" };
  return tally;
}

/** Reads the report of `pnpm release --json`: every gate and every smoke check counts as one. */
export async function readReleaseReport(root: string, file: string): Promise<Tally[]> {
  const source = relative(root, file);
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.trim() === "")
    return [{ source, passed: 0, failed: 1, skipped: 0, remark: "the rehearsal wrote no report" }];
  const report = parseJson(text, file);
  const gates = tallyStates(
    `${source} gates`,
    (report.gates ?? []).map((gate: { status: string }) => gate.status),
  );
  const smokes = (report.smokes ?? []).map((smoke: { runtime: string; checks: { status: string }[] }) =>
    tallyStates(
      `${source} ${smoke.runtime}`,
      smoke.checks.map((check) => check.status),
    ),
  );
  return [gates, ...smokes];
}

function tallyStates(source: string, states: string[]): Tally {
  const count = (state: string) => states.filter((each) => each === state).length;
  const tally = { source, passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  return states.length === 0 ? { ...tally, failed: 1, remark: "nothing was checked" } : tally;
}

async function listPackageDirs(root: string): Promise<string[]> {
  const dirs: string[] = [];
  for (const group of ["packages", "tools"]) {
    for (const entry of await readdir(join(root, group), { withFileTypes: true })) {
      const dir = join(root, group, entry.name);
      if (entry.isDirectory() && (await exists(join(dir, "package.json")))) dirs.push(dir);
    }
  }
  return dirs.sort();
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: other programs' reports; every field that is used is checked.
async function readJson(file: string): Promise<any> {
  return parseJson(await readFile(file, "utf8"), file);
}

// biome-ignore lint/suspicious/noExplicitAny: see readJson
function parseJson(text: string, file: string): any {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_REPORT_BROKEN",
      message: `${file} is not JSON`,
      exitCode: exitCodes.external,
      cause,
    });
  }
}

function readCount(report: Record<string, unknown>, field: string, file: string): number {
  const value = report[field];
  if (typeof value === "number") return value;
  throw new ToolError({
    code: "CODEX_JS_CI_REPORT_BROKEN",
    message: `${file}: ${field} is ${JSON.stringify(value)}, expected a number`,
    exitCode: exitCodes.external,
  });
}
