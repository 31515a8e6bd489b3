import { type CliContext, Command, exitCodes, runCli, ToolError, toErrorDocument } from "@codex-js/cli-kit";
import { formatReport as formatSmokes } from "@codex-js/smoke";
import { type CommonOptions, collect, parseMilliseconds, parsePort, readOptions } from "./command-line.ts";
import * as commands from "./commands.ts";
import { keepFlags } from "./keep-flags.ts";
import { defaultGithubApi } from "./options.ts";
import { formatPlan } from "./plan/format-plan.ts";
import { release } from "./release.ts";
import { formatManifest, formatPublished } from "./report/format-documents.ts";
import { formatReport } from "./report/format-report.ts";
import { formatStatus } from "./status/format-status.ts";
import { needsAttention } from "./status/read-status.ts";

function define(context: CliContext): Command {
  const program = new Command("release");
  program
    .description(
      "Releases every public package. Without --to it rehearses it all on a registry inside this process,\nwhich needs no account and changes nothing in the working tree.",
    )
    .option("--to <target>", "npm: release for real, or go on with a release that was cut off")
    .option("--registry <url>", "with --to npm: another registry than the one that npm is configured with")
    .option("--github-api <url>", `with --to npm: another GitHub than ${defaultGithubApi}`)
    .option(
      "--visibility-timeout-ms <number>",
      "with --to npm: how long packages may take to become visible (default: half an hour)",
      parseMilliseconds,
    )
    .option("--no-smoke", "with --to npm: leave the smokes, and announcing after them, to another job")
    .option("--out <dir>", "for tarballs, plan, manifest and reports (default: .release in the root)")
    .option("--registry-dir <dir>", "keep the rehearsal's registry and caches there between runs")
    .option("--port <number>", "port of the rehearsal's registry", parsePort, 0)
    .option("--runtime <id>", "smoke on this runtime only; may be repeated", collect)
    .option("--dry-run", "print the plan and do nothing else")
    .option("--json", "results as one JSON document on stdout")
    .addHelpText("after", examples)
    // commander alone says "too many arguments" of a mistyped step.
    .allowExcessArguments()
    .action(async () => {
      requireNoStep(program);
      await preview(context, program.opts(), (options) => runAll(context, options));
    });

  const step = (name: string, description: string, action: (options: CommonOptions) => Promise<void>) =>
    program
      .command(name)
      .description(description)
      .allowExcessArguments(false)
      .configureHelp({ showGlobalOptions: true })
      .action(() => preview(context, program.opts(), action));
  step("plan", "versions, order, and what the registry has", async (options) => {
    print(context, options, await commands.plan(context, readOptions(options)), formatPlan);
  });
  step("build", "apply the versions in a staging copy and build there", async (options) => {
    print(
      context,
      options,
      await commands.build(context, readOptions(options)),
      ({ stagingDir }) => `${stagingDir}\n`,
    );
  });
  step("pack", "pack what was built, twice and byte-identical", async (options) => {
    print(context, options, await commands.pack(context, readOptions(options)), formatManifest);
  });
  step("gates", "check source and tarballs; nothing is published without", async (options) => {
    await commands.gates(context, readOptions(options), (report) =>
      print(context, options, report, () => ""),
    );
  });
  step(
    "preflight",
    "--to npm: everything that it could fail of, before anything irreversible",
    async (options) => {
      await commands.preflight(context, readOptions(options), (findings) =>
        print(context, options, { version: 1, findings }, () => ""),
      );
    },
  );
  step("draft", "--to npm: the tag, and a draft of the GitHub release with its files", async (options) => {
    const { tag, htmlUrl } = await commands.draft(context, readOptions(options));
    print(context, options, { version: 1, tag, releaseUrl: htmlUrl }, formatUrl);
  });
  step("publish", "publish what is missing, from the manifest's tarballs", async (options) => {
    print(context, options, await commands.publish(context, readOptions(options)), formatPublished);
  });
  step("smoke", "install what was published on every runtime, and use it", async (options) => {
    await commands.smoke(context, readOptions(options), (report) =>
      print(context, options, report, formatSmokes),
    );
  });
  step("announce", "--to npm: publish the GitHub release, last of all", async (options) => {
    print(
      context,
      options,
      { version: 1, releaseUrl: await commands.announce(context, readOptions(options)) },
      formatUrl,
    );
  });
  const statusStep = step(
    "status",
    "what is really there of the release to npm, and what is missing",
    async (options) => {
      const status = await commands.status(context, readOptions(options), statusStep.opts());
      print(context, options, status, formatStatus);
      if (needsAttention(status)) throw describeAttention();
    },
  );
  statusStep.option("--current", "of the versions in the working tree, whatever changesets are pending");
  step("resume", "the same as no step: what is missing, from wherever it was cut off", (options) =>
    runAll(context, options),
  );
  return program;
}

const examples = `
Each step reads what the one before left in the out dir; without a step, all of them run.

  pnpm release                            the whole rehearsal
  pnpm release --dry-run                  what it would publish
  pnpm release --registry-dir ~/rehearse  again and again on one registry
  pnpm release --runtime node24 --json    smoke on one runtime, everything as JSON
  pnpm release plan && pnpm release build && pnpm release pack
  pnpm release --to npm                   for real; again after any failure
  pnpm release status                     what npm and GitHub have of it

Exit codes: 0 done, 1 a check failed, 2 wrong usage or configuration, 3 something outside failed.
The same command goes on after any of them; what is published with the same bytes is not done again.`;

/** Whatever the command: with --dry-run it prints the plan and does nothing. */
async function preview(
  context: CliContext,
  options: CommonOptions,
  action: (options: CommonOptions) => Promise<void>,
): Promise<void> {
  try {
    if (options.dryRun !== true) return await action(options);
    print(context, options, await commands.previewPlan(context, readOptions(options)), formatPlan);
  } catch (error) {
    const told = keepFlags(error, readOptions(options));
    if (!printed.has(context) && told instanceof ToolError) {
      print(context, options, toErrorDocument(told), () => "");
    }
    throw told;
  }
}

/** Where a result was printed: who reads JSON gets one document, of the result or of what has come in its place. */
const printed = new WeakSet<CliContext>();

async function runAll(context: CliContext, options: CommonOptions): Promise<void> {
  const { report, error } = await release(context, readOptions(options));
  print(context, options, report, formatReport);
  if (error !== undefined) throw error;
}

function print<Value>(
  context: CliContext,
  options: CommonOptions,
  value: Value,
  format: (value: Value) => string,
): void {
  printed.add(context);
  context.stdout.write(options.json === true ? `${JSON.stringify(value, null, 2)}\n` : format(value));
}

function requireNoStep(program: Command): void {
  const [unknown] = program.args;
  if (unknown === undefined) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_UNKNOWN_STEP",
    message: `there is no step ${unknown}`,
    hint: `the steps are ${program.commands.map((command) => command.name()).join(", ")}`,
    exitCode: exitCodes.usage,
  });
}

function formatUrl({ releaseUrl }: { releaseUrl: string }): string {
  return `${releaseUrl}\n`;
}

function describeAttention(): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_STATUS_DIFFERS",
    message: "something is there that is not of this release",
    hint: "pnpm release preflight says what to do about each",
    exitCode: exitCodes.checkFailed,
  });
}

await runCli(define);
