import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemAffectsResolutionKind } from "@arethetypeswrong/core/problems";
import type { Analysis, Problem, ResolutionKind } from "@arethetypeswrong/core/types";
import type { GateProblem } from "./gate.ts";

/**
 * How TypeScript may resolve our packages. They are ESM only and say so in `exports`, on purpose, so two
 * resolutions have no answer in them, and what is reported for these is no fault:
 * - `node16-cjs` is a `require()` of the package, which ESM-only packages do not offer.
 * - `node10` does not read `exports` at all; TypeScript 7 no longer has it.
 */
const supportedResolutions: readonly ResolutionKind[] = ["node16-esm", "bundler"];

/** Whether the types in a tarball are the types of its JavaScript, as TypeScript resolves both. */
export async function checkTypes(name: string, tarballFile: string): Promise<GateProblem[]> {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarballFile)));
  // A package without types, such as one that is only a command, has none that could be wrong.
  if (analysis.types === false) return [];
  const supported = analysis.problems.filter((problem) => isSupported(problem, analysis));
  // One fault is reported once for each resolution that meets it.
  return [...new Set(supported.map(describeProblem))].map((message) => ({
    package: name,
    message,
    hint: "https://arethetypeswrong.github.io explains each kind of problem",
  }));
}

function isSupported(problem: Problem, analysis: Analysis): boolean {
  return supportedResolutions.some((kind) => problemAffectsResolutionKind(problem, kind, analysis));
}

function describeProblem(problem: Problem): string {
  if ("resolutionKind" in problem) {
    return `${problem.kind} at entry point ${problem.entrypoint} (${problem.resolutionKind})`;
  }
  if ("typesFileName" in problem) return `${problem.kind} in ${problem.typesFileName}`;
  if ("moduleSpecifier" in problem) {
    return `${problem.kind}: ${problem.fileName} imports ${problem.moduleSpecifier}`;
  }
  return `${problem.kind} in ${problem.fileName}`;
}
