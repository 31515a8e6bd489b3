import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { Manifest } from "../pack/manifest.ts";
import type { GateReport } from "./gate.ts";
import { requireGatesPassed } from "./run-gates.ts";

/**
 * Only bytes that have passed every gate are published.
 * @throws ToolError CODEX_JS_RELEASE_GATES_FAILED, CODEX_JS_RELEASE_NOT_GATED (check failed)
 */
export function requireGated(manifest: Manifest, report: GateReport): void {
  requireGatesPassed(report);
  const passed = new Map(report.packages.map(({ name, integrity }) => [name, integrity]));
  const missing = manifest.packages.filter(({ name, integrity }) => passed.get(name) !== integrity);
  if (missing.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_NOT_GATED",
    message: `the gates have not seen these bytes of ${missing.map(({ name }) => name).join(", ")}`,
    hint: "pnpm release gates",
    exitCode: exitCodes.checkFailed,
  });
}
