import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import { setJobOutputs } from "../job-outputs.ts";
import { listScenarios, matrices } from "./matrices.ts";

export const matrixNames = Object.keys(matrices) as (keyof typeof matrices)[];

/**
 * Prints one matrix as JSON on one line, for `fromJSON` in a workflow; in GitHub Actions it is the output of
 * the matrix's name as well.
 * @throws ToolError CODEX_JS_CI_UNKNOWN_MATRIX (usage)
 */
export async function printMatrix(context: CliContext, name: string): Promise<void> {
  if (!Object.hasOwn(matrices, name)) {
    throw new ToolError({
      code: "CODEX_JS_CI_UNKNOWN_MATRIX",
      message: `there is no matrix ${name}`,
      hint: `the matrices are ${matrixNames.join(", ")}`,
      exitCode: exitCodes.usage,
    });
  }
  const json = JSON.stringify(matrices[name as keyof typeof matrices]());
  context.stdout.write(`${json}\n`);
  await setJobOutputs(context, { [name]: json });
}

/** For .ci/bench. @throws ToolError CODEX_JS_CI_UNKNOWN_RUNTIME (usage) */
export function printScenarios(context: CliContext, runtime: string): void {
  const known = [...new Set(matrices.bench().map((job) => job.runtime))];
  if (!known.includes(runtime)) {
    throw new ToolError({
      code: "CODEX_JS_CI_UNKNOWN_RUNTIME",
      message: `no benchmark runs on ${runtime}`,
      hint: `they run on ${known.join(", ")}`,
      exitCode: exitCodes.usage,
    });
  }
  context.stdout.write(`${listScenarios(runtime).join("\n")}\n`);
}
