import {
  type CliContext,
  exitCodes,
  findWorkspaceRoot,
  formatTable,
  resolveUserPath,
  ToolError,
} from "@codex-js/cli-kit";
import { readReleaseReport, readTestReports, type Tally } from "./read-reports.ts";

export interface CountOptions {
  /** The output of `pnpm release --json`. */
  release?: string;
  /** `name=exit-code` each. */
  step: string[];
}

/**
 * Prints what all runners reported, and one line that sums it up.
 * @throws ToolError CODEX_JS_CI_BAD_STEP (usage), CODEX_JS_CI_FAILED (check failed)
 */
export async function count(context: CliContext, { release, step }: CountOptions): Promise<void> {
  const root = findWorkspaceRoot(context.cwd);
  const tallies = await readTestReports(root);
  if (release !== undefined) {
    tallies.push(...(await readReleaseReport(root, resolveUserPath(context.cwd, "--release", release))));
  }
  tallies.push(...step.map(parseStep));
  printTallies(context, tallies);
}

function parseStep(text: string): Tally {
  const match = /^(.+)=(\d+)$/.exec(text);
  if (match === null) {
    throw new ToolError({
      code: "CODEX_JS_CI_BAD_STEP",
      message: `--step ${text}: expected name=exit-code`,
      exitCode: exitCodes.usage,
    });
  }
  const failed = match[2] !== "0";
  return {
    source: `step ${match[1]}`,
    passed: failed ? 0 : 1,
    failed: failed ? 1 : 0,
    skipped: 0,
    ...(failed ? { remark: `exit code ${match[2]}` } : {}),
  };
}

function printTallies(context: CliContext, tallies: Tally[]): void {
  const rows = tallies.map((tally) => [
    tally.source,
    ...[tally.passed, tally.failed, tally.skipped].map(String),
    tally.remark ?? "",
  ]);
  context.stderr.write(`${formatTable(["report", "passed", "failed", "skipped", ""], rows, [1, 2, 3])}\n`);
  const sum = (field: "passed" | "failed" | "skipped") =>
    tallies.reduce((total, tally) => total + tally[field], 0);
  context.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped\n`);
  if (sum("failed") > 0) {
    throw new ToolError({
      code: "CODEX_JS_CI_FAILED",
      message: `${sum("failed")} checks failed`,
      exitCode: exitCodes.checkFailed,
    });
  }
}
