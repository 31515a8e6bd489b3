import { type CliContext, Command, exitCodes, findWorkspaceRoot, ToolError } from "@codex-js/cli-kit";
import type { PublicPackage } from "@codex-js/pack";
import { acceptApiReports, checkApiReports } from "./api-reports.ts";
import { formatAccept, formatCheck } from "./format-result.ts";
import { selectPackages } from "./select-packages.ts";
import type { ApiReportResult } from "./types.ts";

interface Options {
  package?: string[];
  json?: true;
}

interface Action {
  run: (packages: PublicPackage[]) => Promise<ApiReportResult>;
  format: (result: ApiReportResult) => string;
}

/** The command line of the API report. */
export function defineCli(context: CliContext): Command {
  const program = new Command("api-report").description("Keeps the public API's report in git");
  addCommand(program, context, "check", "fails when the built API is not the one in etc/*.api.md", {
    run: checkApiReports,
    format: formatCheck,
  });
  addCommand(program, context, "accept", "writes the built API into etc/*.api.md", {
    run: acceptApiReports,
    format: formatAccept,
  });
  return program;
}

function addCommand(
  program: Command,
  context: CliContext,
  name: string,
  description: string,
  action: Action,
): void {
  program
    .command(name)
    .description(description)
    .option("--package <dir...>", "only these packages (default: the one around, or all)")
    .option("--json", "print the result as JSON")
    .action((options: Options) => runAction(options, context, action));
}

async function runAction(options: Options, context: CliContext, { run, format }: Action): Promise<void> {
  const root = findWorkspaceRoot(context.cwd);
  const result = await run(await selectPackages(root, context.cwd, options.package ?? []));
  context.stdout.write(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : format(result));
  if (result.verdict === "failed") throw failedError(result);
}

function failedError({ reports }: ApiReportResult): ToolError {
  const isInvalid = reports.some(({ status }) => status === "invalid");
  const isChanged = reports.some(({ diff }) => diff !== "");
  const accept = "if the change is meant: pnpm api:accept, then commit etc/*.api.md";
  if (!isInvalid) {
    return createFailure("CHANGED", "the public API changed, and the change is not in git", accept);
  }
  const mend = "each problem's own fix is above; then pnpm build";
  return isChanged
    ? createFailure(
        "INVALID",
        "the built declarations have problems, and the public API changed",
        `${mend}, and ${accept}`,
      )
    : createFailure("INVALID", "the built declarations have problems", mend);
}

function createFailure(condition: "INVALID" | "CHANGED", message: string, hint: string): ToolError {
  return new ToolError({
    code: `CODEX_JS_API_${condition}`,
    message,
    hint,
    exitCode: exitCodes.checkFailed,
  });
}
