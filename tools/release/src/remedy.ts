import { existsSync } from "node:fs";
import { ToolError } from "@codex-js/cli-kit";
import { documentFile, type StepName, stepOrder } from "./documents.ts";

/** The documents that each step reads. */
const needs: Record<StepName, readonly StepName[]> = {
  plan: [],
  build: ["plan"],
  pack: ["plan", "build"],
  gates: ["build", "pack"],
  publish: ["pack", "gates"],
};

/**
 * The commands that do `from` and what follows up to `to`, those before it included whose document is gone:
 * a whole run leaves no build behind, and a remedy that begins there would only name the next one.
 */
export function describeSteps(outDir: string, from: StepName, to: StepName = from): string {
  const first = findFirst(outDir, from);
  const steps = stepOrder.slice(stepOrder.indexOf(first), stepOrder.indexOf(to) + 1);
  return steps.map((step) => `pnpm release ${step}`).join(" && ");
}

function findFirst(outDir: string, step: StepName): StepName {
  const missing = needs[step].find((one) => !existsSync(documentFile(outDir, one)));
  return missing === undefined ? step : findFirst(outDir, missing);
}

/** Errors whose remedy is to do earlier steps again: which ones depends on what is still there. */
const repeats: Record<string, readonly [from: StepName, to: StepName]> = {
  CODEX_JS_RELEASE_TARBALL_CHANGED: ["pack", "gates"],
  CODEX_JS_RELEASE_NOT_GATED: ["gates", "gates"],
};

/**
 * The error with the remedy that works after the command that it has ended.
 * @param whole that command was all the steps, which are all done anew
 */
export function mendRemedy(error: unknown, outDir: string, whole: boolean): unknown {
  const steps = error instanceof ToolError ? repeats[error.code] : undefined;
  if (!(error instanceof ToolError) || steps === undefined) return error;
  return withHint(error, whole ? "pnpm release" : describeSteps(outDir, ...steps));
}

export function withHint(error: ToolError, hint: string): ToolError {
  const { code, message, exitCode, cause } = error;
  return new ToolError({ code, message, hint, exitCode, cause });
}
