import {
  type CliContext,
  Command,
  exitCodes,
  findWorkspaceRoot,
  formatTable,
  resolveUserPath,
  runCli,
  ToolError,
} from "@codex-js/cli-kit";
import { readReleaseReport, readTestReports, type Tally } from "./read-reports.ts";

await runCli((context) => {
  const program = new Command("ci").description("Counts what the runners of one CI run reported");
  program
    .command("count")
    .description("print `N passed, N failed, N skipped` and exit 1 when anything failed")
    .option("--release <file>", "the output of `pnpm release --json`")
    .option("--step <name=code...>", "a step without a report of its own, and its exit code", [])
    .action(async (options: { release?: string; step: string[] }) => {
      const root = findWorkspaceRoot(context.cwd);
      const tallies = await readTestReports(root);
      if (options.release !== undefined)
        tallies.push(
          ...(await readReleaseReport(root, resolveUserPath(context.cwd, "--release", options.release))),
        );
      tallies.push(...options.step.map(parseStep));
      printTallies(context, tallies);
    });
  return program;
});

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
