import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CliContext,
  Command,
  createProgress,
  exitCodes,
  ToolError,
  withTempDir,
} from "@codex-js/cli-kit";
import { findKernelProbe } from "./kernel/find-kernel-probe.ts";
import { groups } from "./probe.ts";
import { collectResults } from "./report/collect-results.ts";
import { documentPath } from "./report/document-file.ts";
import { formatDocument } from "./report/format-document.ts";
import { writeNodeBaseline } from "./report/node-baseline.ts";
import { isHeldResult, type Results } from "./report/results.ts";
import { readResults, writeResults } from "./report/results-file.ts";

interface Options {
  runner?: string;
  only?: string;
  text?: true;
}

/** Runs the whole table on both sides, and writes what was seen. */
export function defineCli(context: CliContext): Command {
  return new Command("security")
    .description(
      "Runs the security probes on the mod runner and on the Node baseline, and writes the document",
    )
    .option("--runner <file>", "the runner; default CODEX_JS_MOD_RUNNER_PATH")
    .option("--only <group>", `run one of ${groups.join(", ")}, and keep the last results of the others`)
    .option("--text", "write the document from the results of the last run")
    .action((options: Options) => run(options, context));
}

async function run({ runner, only, text }: Options, context: CliContext): Promise<void> {
  if (text !== true) writeResults(await measure(runner, only, context));
  writeFileSync(documentPath, formatDocument(readResults()));
  context.stdout.write(`${documentPath}\n`);
}

async function measure(
  runner: string | undefined,
  only: string | undefined,
  context: CliContext,
): Promise<Results> {
  if (only !== undefined && !groups.some((group) => group === only)) throw unknownGroup(only);
  const program = findProgram(runner, context);
  const kernelProbe = findKernelProbe();
  if (kernelProbe === undefined) throw notBuilt("kernel-probe", "--package codex-js-sandbox");
  const step = createProgress(context).start("probes");
  const results = await withTempDir("codex-js-probes-", (dir) =>
    collectResults({
      ours: { program, sandbox: "require" },
      node: writeNodeBaseline(dir),
      kernelProbe,
      only,
      previous: only === undefined ? undefined : readResults(),
      onRow: (name) => step.update(name),
    }),
  );
  const leaks = findLeaks(results);
  if (leaks.length > 0) {
    step.fail();
    throw new ToolError({
      code: "CODEX_JS_PROBES_NOT_HELD",
      message: `the runner does not hold ${leaks.join("; ")}`,
      exitCode: exitCodes.checkFailed,
    });
  }
  step.succeed(`${Object.keys(results.runner).length} held`);
  return results;
}

function findProgram(runner: string | undefined, { cwd, env }: CliContext): string {
  const named = runner ?? env.CODEX_JS_MOD_RUNNER_PATH;
  if (named === undefined || !existsSync(resolve(cwd, named))) {
    throw notBuilt(`mod runner${named === undefined ? "" : ` at ${named}`}`, "--package codex-js-runner");
  }
  return resolve(cwd, named);
}

function findLeaks({ runner }: Results): string[] {
  return Object.entries(runner)
    .filter(([, { ours }]) => !isHeldResult(ours))
    .map(([name, { ours }]) => `${name}: ${JSON.stringify(ours)}`);
}

function unknownGroup(name: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_PROBES_UNKNOWN_GROUP",
    message: `there is no group ${name}; there are ${groups.join(", ")}`,
    exitCode: exitCodes.usage,
  });
}

function notBuilt(what: string, crate: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_PROBES_NOT_BUILT",
    message: `there is no ${what}`,
    hint: `cargo build --release ${crate} in packages/mod-runner/native; name the runner with --runner`,
    exitCode: exitCodes.usage,
  });
}
