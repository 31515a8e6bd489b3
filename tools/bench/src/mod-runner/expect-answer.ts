import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { TurnReport } from "./runner-client.ts";
import type { RunnerSide } from "./sides.ts";

/**
 * A turn that went wrong is no sample.
 * @throws ToolError CODEX_JS_BENCH_TURN_FAILED (external)
 */
export function expectAnswer(side: RunnerSide, report: TurnReport): TurnReport {
  const { answer } = report;
  if (answer.type !== "error") return report;
  throw new ToolError({
    code: "CODEX_JS_BENCH_TURN_FAILED",
    message: `${side.name} answered ${answer.code}: ${answer.message}`,
    exitCode: exitCodes.external,
  });
}
