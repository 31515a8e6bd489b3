import { type CliContext, Command } from "@codex-js/cli-kit";
import { keepHistory } from "./bench-history/keep-history.ts";
import { count } from "./count/count.ts";
import { installLinters } from "./linters/install-linters.ts";
import { matrixNames, printMatrix, printScenarios } from "./matrix/print-matrix.ts";
import { buildNative, type NativeOptions } from "./native/build-native.ts";
import { findNextStep, type NextStepOptions } from "./next-step/find-next-step.ts";
import { commentSizes } from "./size-comment/comment-sizes.ts";
import { type ProposeOptions, proposeVersions } from "./version-pr/propose-versions.ts";

/** What the workflows call: their logic is here, where it can be tested and run by hand. */
export function defineCi(context: CliContext): Command {
  const program = new Command("ci").description("What the workflows in .github call");
  program
    .command("count")
    .description("print `N passed, N failed, N skipped` and exit 1 when anything failed")
    .option("--release <file>", "the output of `pnpm release --json`")
    .option("--step <name=code...>", "a step without a report of its own, and its exit code", [])
    .action((options: { release?: string; step: string[] }) => count(context, options));
  program
    .command("matrix")
    .description(`print a matrix of jobs as JSON: ${matrixNames.join(", ")}`)
    .argument("<name>")
    .action((name: string) => printMatrix(context, name));
  program
    .command("scenarios")
    .description("print the benchmarks of one runtime, one a line")
    .argument("<runtime>")
    .action((runtime: string) => printScenarios(context, runtime));
  program
    .command("linters")
    .description("install actionlint and zizmor from their registries, where that can be done")
    .action(() => installLinters(context));
  program
    .command("size-comment")
    .description("put the size table into the pull request's one comment for it")
    .requiredOption("--report <file>", "the output of `pnpm size --json`")
    .action((options: { report: string }) => commentSizes(context, options.report));
  program
    .command("next-step")
    .description("say what a push to the main branch asks for: version, release, none; exit 1 for stop")
    .option("--registry <url>", "as `pnpm release --to npm` takes it")
    .option("--github-api <url>", "as `pnpm release --to npm` takes it")
    .option("--json", "print it as JSON")
    .action((options: NextStepOptions) => findNextStep(context, options));
  program
    .command("version-pr")
    .description("apply pending changesets in the working tree and propose that as a pull request")
    .requiredOption("--base <branch>", "the branch that it goes into")
    .option("--json", "print what was proposed as JSON")
    .action((options: ProposeOptions) => proposeVersions(context, options));
  program
    .command("native")
    .description("build the mod runner for one target, and lay it where the release takes it from")
    .option("--target <id>", "an id of packages/platforms/targets.json (default: this machine's)")
    .addOption(
      program.createOption("--output <dir>", "default: .native/ID in the root").conflicts("outputParent"),
    )
    .option("--output-parent <dir>", "the folder that gets the folder ID")
    .option("--json", "print what was built as JSON")
    .action((options: NativeOptions) => buildNative(context, options));
  program
    .command("bench-history")
    .description("add benchmarks to the history's branch, and say how they compare with what is there")
    .requiredOption(
      "--input <dir>",
      "documents that `pnpm bench` has written, in folders named after their jobs",
    )
    .requiredOption("--branch <name>", "the branch that keeps the history")
    .option("--history <dir>", "a checkout of that branch; it need not be there")
    .action((options: { input: string; branch: string; history?: string }) => keepHistory(context, options));
  return program;
}
