import { join, resolve } from "node:path";
import {
  type CliContext,
  Command,
  createProgress,
  exitCodes,
  findWorkspaceRoot,
  ToolError,
} from "@codex-js/cli-kit";
import { type BoundCheck, checkBounds, describeBoundCheck, describeLeftOut } from "./bounds.ts";
import { formatReport } from "./document/table.ts";
import { formatDocument, writeDocument } from "./document/write.ts";
import { addScenarioOptions, readScenarioOptions } from "./options.ts";
import { writeReport } from "./report/write-report.ts";
import { runScenario } from "./run-scenario.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { defaultBootstrap } from "./statistics/bootstrap.ts";

interface CommonOptions {
  output?: string;
  json: boolean;
  short: boolean;
  check: boolean;
  seed: number;
}

export function defineBench(context: CliContext): Command {
  const program = new Command("bench").description(
    "Measures what codex-js claims, and keeps every raw sample.",
  );
  for (const scenario of scenarios) addScenario(program, scenario, context);
  addReport(program, context);
  return program;
}

function addScenario(program: Command, scenario: Scenario, context: CliContext): void {
  const command = program
    .command(scenario.name)
    .description(scenario.description)
    .option("--output <file>", "where to write the JSON; default .bench/<scenario>-<time>.json")
    .option("--json", "print the JSON instead of tables", false)
    .option("--short", "small and quick, for CI; fails when a ratio misses its bound", false)
    .option("--check", "fail when a ratio misses its bound in the full form too", false)
    .option("--seed <n>", "of shuffles and of the bootstrap", Number, defaultBootstrap.seed);
  addScenarioOptions(command, scenario);
  command.action((options: CommonOptions) => runOne(scenario, command, options, context));
}

async function runOne(
  scenario: Scenario,
  command: Command,
  options: CommonOptions,
  context: CliContext,
): Promise<void> {
  const reason = scenario.unsupported?.(process.platform);
  if (reason !== undefined) return skipUnsupported(scenario, reason, options, context);
  const root = findWorkspaceRoot(import.meta.dirname);
  const document = await runScenario(scenario, {
    ...context,
    options: readScenarioOptions(command, scenario, options.short),
    short: options.short,
    seed: options.seed,
    root,
    cacheDir: join(root, ".bench", "cache"),
    progress: createProgress(context),
  });
  const stamp = document.startedAt.replaceAll(/[:.]/g, "-");
  const output =
    options.output === undefined
      ? join(root, ".bench", `${scenario.name}-${stamp}.json`)
      : resolve(context.cwd, options.output);
  await writeDocument(output, document);
  context.stdout.write(options.json ? formatDocument(document) : formatReport(document));
  context.stderr.write(`raw samples: ${output}\n`);
  const gates = options.short || options.check;
  const checks = checkBounds(document);
  for (const check of checks) {
    // Somebody who measures a part on purpose need not hear that the rest was not measured.
    if (gates || check.comparison !== undefined) context.stderr.write(`${describeBoundCheck(check)}\n`);
  }
  const leftOut = describeLeftOut(document);
  if (gates && leftOut !== undefined) context.stderr.write(`– ${leftOut}\n`);
  failOnProblems(document.problems ?? []);
  if (gates) failOnMissedBounds(checks);
}

function failOnProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_BENCH_PROBLEMS",
    message: problems.join("\n"),
    hint: "the JSON has every event",
    exitCode: exitCodes.checkFailed,
  });
}

function failOnMissedBounds(checks: readonly BoundCheck[]): void {
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const unmeasured = failed.filter(({ comparison }) => comparison === undefined).length;
  const missed = failed.length - unmeasured;
  const parts = [
    ...(missed > 0 ? [`${missed} of ${checks.length} ratios miss their bound`] : []),
    ...(unmeasured > 0 ? [`${unmeasured} of ${checks.length} were not measured`] : []),
  ];
  throw new ToolError({
    code: "CODEX_JS_BENCH_BOUND_MISSED",
    message: parts.join(", "),
    hint:
      missed > 0
        ? "run it again on a quiet machine; if it stays, something became slower"
        : "the notes of the run say what was left out, and why",
    exitCode: exitCodes.checkFailed,
  });
}

/** CI runs the short forms on every platform: there it is a skip, for a person it is an error. */
function skipUnsupported(
  scenario: Scenario,
  reason: string,
  options: CommonOptions,
  context: CliContext,
): void {
  if (!options.short) {
    throw new ToolError({
      code: "CODEX_JS_BENCH_UNSUPPORTED",
      message: `${scenario.name} cannot run here: ${reason}`,
      exitCode: exitCodes.usage,
    });
  }
  if (options.json) {
    context.stdout.write(`${JSON.stringify({ version: 1, scenario: scenario.name, skipped: reason })}\n`);
  } else context.stdout.write(`${scenario.name}: skipped, ${reason}\n`);
}

function addReport(program: Command, context: CliContext): void {
  program
    .command("report")
    .description("makes one self-contained HTML page of the scenarios' JSON files")
    .requiredOption("--input <file...>", "JSON that scenarios wrote")
    .requiredOption("--output <file>", "the page to write")
    .option("--json", "print what was written as JSON", false)
    .action(async (options: { input: string[]; output: string; json: boolean }) => {
      const output = resolve(context.cwd, options.output);
      const inputs = options.input.map((path) => resolve(context.cwd, path));
      const sizeBytes = await writeReport(inputs, output);
      context.stdout.write(
        options.json
          ? `${JSON.stringify({ version: 1, output, sizeBytes })}\n`
          : `${output} (${sizeBytes} bytes)\n`,
      );
    });
}
