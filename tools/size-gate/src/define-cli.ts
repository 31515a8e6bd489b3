import { appendFile, writeFile } from "node:fs/promises";
import { type CliContext, Command, exitCodes, findWorkspaceRoot, ToolError } from "@codex-js/cli-kit";
import { resolveUserRegistry } from "@codex-js/testkit/registry";
import { formatMarkdown, formatReport, listProblems } from "./format-report.ts";
import { budgetsPath, measureSizes } from "./measure-sizes.ts";
import { readBudgets } from "./parse-budgets.ts";
import { toRegistryAccess } from "./registry-access.ts";
import type { RegistryAccess, SizeReport } from "./types.ts";
import { updateBudgets } from "./update-budgets.ts";

interface Options {
  build: boolean;
  json?: true;
  update?: true;
  registry?: string;
}

/** The command line of the size gate. */
export function defineCli(context: CliContext): Command {
  return new Command("size")
    .description("Packs the public packages and holds them against budgets.json and the last release")
    .option("--json", "print the report as JSON")
    .option("--update", "write limits for new files and drop those of gone files; totals stay")
    .option("--registry <url>", "where the last release is looked up (default: npm's configured registry)")
    .option("--no-build", "measure what is built already")
    .action((options: Options) => run(options, context));
}

async function run(options: Options, context: CliContext): Promise<void> {
  checkRegistryUrl(options.registry);
  const root = findWorkspaceRoot(context.cwd);
  const measure = () =>
    measureSizes({
      root,
      context,
      build: options.build,
      resolveRegistry: () => resolveRegistry(options.registry, root, context),
    });
  let report = await measure();
  if (options.update === true && (await update(root, report, context))) {
    options.build = false;
    report = await measure();
  }
  context.stdout.write(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
  const summaryFile = context.env.GITHUB_STEP_SUMMARY;
  if (summaryFile) await appendFile(summaryFile, `${formatMarkdown(report)}\n`);
  if (report.verdict === "failed") throw overBudgetError(report);
}

function checkRegistryUrl(url: string | undefined): void {
  if (url === undefined || (URL.canParse(url) && /^https?:\/\//.test(url))) return;
  throw new ToolError({
    code: "CODEX_JS_SIZE_REGISTRY_URL",
    message: `--registry ${url} is no http or https URL`,
    hint: "leave it out to ask the registry that npm is configured with",
    exitCode: exitCodes.usage,
  });
}

async function resolveRegistry(
  url: string | undefined,
  root: string,
  context: CliContext,
): Promise<RegistryAccess> {
  if (url !== undefined) return { url };
  return toRegistryAccess(await resolveUserRegistry({ ...context, cwd: root }));
}

/** @returns whether anything changed */
async function update(root: string, report: SizeReport, context: CliContext): Promise<boolean> {
  const file = budgetsPath(root);
  const { budgets, changes } = updateBudgets(await readBudgets(file), report);
  if (changes.length === 0) return false;
  await writeFile(file, `${JSON.stringify(budgets, null, 2)}\n`);
  for (const change of changes) context.stderr.write(`${change}\n`);
  return true;
}

function overBudgetError(report: SizeReport): ToolError {
  const count = listProblems(report).length;
  return new ToolError({
    code: "CODEX_JS_SIZE_GATE",
    message: `${count} size ${count === 1 ? "problem" : "problems"} in ${report.checks.failed} failed checks`,
    hint: "each problem's own fix is in the report",
    exitCode: exitCodes.checkFailed,
  });
}
