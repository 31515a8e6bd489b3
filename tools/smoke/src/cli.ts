import { join, resolve } from "node:path";
import {
  type CliContext,
  Command,
  exitCodes,
  findWorkspaceRoot,
  runCli,
  ToolError,
  withTempDir,
} from "@codex-js/cli-kit";
import {
  findExternalFailure,
  formatEvent,
  formatReport,
  isOk,
  parsePackageVersion,
  runSmokes,
  runtimeSpecs,
} from "./index.ts";
import type { SmokeReport } from "./types.ts";

interface CliOptions {
  registry: string;
  package: string[];
  runtime?: string[];
  json?: true;
  workDir?: string;
  cacheDir?: string;
}

await runCli((context) =>
  new Command("smoke")
    .description("Installs packages from a registry into empty projects and uses them, on every runtime.")
    .requiredOption("--registry <url>", "where the packages are served")
    .requiredOption("--package <name@version...>", "what to install and check")
    .option("--runtime <id...>", `${runtimeSpecs.map(({ id }) => id).join(", ")} (default: all)`)
    .option("--json", "print the report as JSON")
    .option(
      "--work-dir <dir>",
      "where the projects go; the ones that failed stay there (default: a temporary folder)",
    )
    .option(
      "--cache-dir <dir>",
      "the package managers' caches and the runtimes (default: below node_modules/.cache)",
    )
    .action((options: CliOptions) => smoke(options, context)),
);

async function smoke(options: CliOptions, context: CliContext): Promise<void> {
  const cacheDir =
    options.cacheDir === undefined
      ? join(findWorkspaceRoot(import.meta.dirname), "node_modules", ".cache", "codex-js-smoke")
      : resolve(context.cwd, options.cacheDir);
  const run = (workDir: string) =>
    runSmokes({
      context,
      registryUrl: options.registry,
      packages: options.package.map(parsePackageVersion),
      ...(options.runtime === undefined ? {} : { runtimes: options.runtime }),
      workDir,
      cacheDir,
      onEvent: (event) => context.stderr.write(`${formatEvent(event)}\n`),
    });
  const { workDir } = options;
  const report = await (workDir === undefined
    ? withTempDir("codex-js-smoke", run)
    : run(resolve(context.cwd, workDir)));
  printReport(report, options, context);
}

function printReport(report: SmokeReport, { json, workDir }: CliOptions, context: CliContext): void {
  context.stdout.write(`${json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report)}`);
  if (isOk(report)) return;
  const external = findExternalFailure(report);
  if (external !== undefined) {
    throw new ToolError({
      code: "CODEX_JS_SMOKE_PREVENTED",
      message: `nothing is known against the packages: ${external.message}`,
      hint: "mend that, then run the same command again",
      exitCode: exitCodes.external,
    });
  }
  const failed = report.results.filter(({ ok }) => !ok).map(({ runtime }) => runtime);
  throw new ToolError({
    code: "CODEX_JS_SMOKE_FAILED",
    message: `the smoke failed on ${failed.join(", ")}`,
    hint:
      workDir === undefined
        ? "run it again with --work-dir DIR to keep the failing project"
        : `look into ${workDir}`,
    exitCode: exitCodes.checkFailed,
  });
}
