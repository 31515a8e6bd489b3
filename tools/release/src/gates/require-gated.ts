import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { Manifest } from "../pack/manifest.ts";
import { type GateReport, gateNames } from "./gate.ts";
import { requireGatesPassed } from "./run-gates.ts";

/**
 * Only bytes that have passed every gate are published: every gate that there is, not only those that the
 * report has.
 * @throws ToolError CODEX_JS_RELEASE_GATES_FAILED, CODEX_JS_RELEASE_NOT_GATED (check failed)
 */
export function requireGated(manifest: Manifest, report: GateReport): void {
  requireGatesPassed(report);
  const ran = new Set(report.gates.map(({ name }) => name));
  const left = gateNames.filter((name) => !ran.has(name));
  if (left.length > 0) throw describeNotGated(`the gates ${left.join(", ")} have not run`);
  const passed = new Map(report.packages.map(({ name, integrity }) => [name, integrity]));
  const unseen = manifest.packages.filter(({ name, integrity }) => passed.get(name) !== integrity);
  if (unseen.length === 0) return;
  throw describeNotGated(
    `the gates have not seen these bytes of ${unseen.map(({ name }) => name).join(", ")}`,
  );
}

function describeNotGated(message: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_NOT_GATED",
    message,
    hint: "pnpm release gates",
    exitCode: exitCodes.checkFailed,
  });
}
