import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { Manifest } from "../pack/manifest.ts";
import type { Gate, GateReport, GateResult } from "./gate.ts";

/** Runs every gate, whatever the others find. */
export async function runGates(
  context: Pick<CliContext, "now" | "signal">,
  gates: readonly Gate[],
  manifest: Manifest,
  onGate?: (name: string) => void,
): Promise<GateReport> {
  const results: GateResult[] = [];
  for (const gate of gates) {
    context.signal.throwIfAborted();
    onGate?.(gate.name);
    const startedAt = context.now().getTime();
    const problems = await gate.run();
    results.push({
      name: gate.name,
      status: problems.length === 0 ? "passed" : "failed",
      durationMs: context.now().getTime() - startedAt,
      problems,
    });
  }
  const packages = manifest.packages.map(({ name, version, integrity }) => ({ name, version, integrity }));
  return { version: 1, ok: results.every(({ status }) => status === "passed"), gates: results, packages };
}

/** @throws ToolError CODEX_JS_RELEASE_GATES_FAILED (check failed) with the table of everything found */
export function requireGatesPassed(report: GateReport): void {
  const failed = report.gates.filter(({ status }) => status === "failed");
  if (failed.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_GATES_FAILED",
    message: `${failed.length} of ${report.gates.length} gates found something; nothing has been published\n${formatProblems(failed)}\n`,
    hint: "mend what stands above (each with its own remedy behind the arrow), then run the same command again",
    exitCode: exitCodes.checkFailed,
  });
}

/** No rule under the header: a compiler's lines can be very long. */
function formatProblems(failed: readonly GateResult[]): string {
  const rows = failed.flatMap(({ name, problems }) =>
    problems.flatMap(({ package: pkg, message, hint }) => {
      const lines = [...message.split("\n"), ...(hint === undefined ? [] : [`→ ${hint}`])];
      return lines.map((line, index) => (index === 0 ? [name, pkg, line] : ["", "", line]));
    }),
  );
  const width = (column: number) => Math.max(...rows.map((row) => row[column]!.length));
  const [gateWidth, packageWidth] = [width(0), width(1)];
  return rows
    .map(([gate, name, line]) =>
      `  ${gate!.padEnd(gateWidth)}  ${name!.padEnd(packageWidth)}  ${line}`.trimEnd(),
    )
    .join("\n");
}
