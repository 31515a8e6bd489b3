import { writeFileSync } from "node:fs";
import {
  type CliContext,
  Command,
  createProgress,
  exitCodes,
  ToolError,
  withTempDir,
} from "@codex-js/cli-kit";
import { findProgram, requireKernelProbe } from "./find-program.ts";
import { groups } from "./probe.ts";
import { collectResults } from "./report/collect-results.ts";
import { documentPath } from "./report/document-file.ts";
import { formatDocument } from "./report/format-document.ts";
import { judgeRun } from "./report/judge-run.ts";
import { writeNodeBaseline } from "./report/node-baseline.ts";
import type { Results } from "./report/results.ts";
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
    .option(
      "--runner <file>",
      "the runner (default: what CODEX_JS_MOD_RUNNER_PATH names, else what pnpm build has left)",
    )
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
  const program = only === "kernel" ? undefined : findProgram(runner, context);
  const kernelProbe = only === undefined || only === "kernel" ? requireKernelProbe() : undefined;
  const step = createProgress(context).start("probes");
  const results = await withTempDir("codex-js-probes-", (dir) =>
    collectResults({
      sides:
        program === undefined
          ? undefined
          : { ours: { program, sandbox: "require" }, node: writeNodeBaseline(dir) },
      kernelProbe,
      only,
      previous: only === undefined ? undefined : readResults(),
      onRow: (name) => step.update(name),
    }),
  );
  const { held, kept, leaks } = judgeRun(results, only);
  if (leaks.length > 0) {
    step.fail();
    throw new ToolError({
      code: "CODEX_JS_PROBES_NOT_HELD",
      message: `the runner does not hold ${leaks.join("; ")}`,
      exitCode: exitCodes.checkFailed,
    });
  }
  step.succeed(describeRun(held, kept));
  return results;
}

/** Who ran one group is not told that all were held now. */
export function describeRun(held: number, kept: number): string {
  const rest = kept === 0 ? "" : `, ${kept} of other groups were not run and keep their last results`;
  return `${held} held${rest}`;
}

function unknownGroup(name: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_PROBES_UNKNOWN_GROUP",
    message: `there is no group ${name}; there are ${groups.join(", ")}`,
    hint: "one row alone: see docs/mod-runner-security.md",
    exitCode: exitCodes.usage,
  });
}
