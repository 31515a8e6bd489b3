import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { GateReport } from "./gates/gate.ts";
import type { Manifest } from "./pack/manifest.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { PublishReport } from "./publish/publish.ts";
import type { BuildRecord } from "./staging/build-record.ts";

/** What each step leaves in the out dir for the next one, in the order of the steps. */
export interface StepDocuments {
  plan: ReleasePlan;
  build: BuildRecord;
  pack: Manifest;
  gates: GateReport;
  publish: PublishReport;
}

export type StepName = keyof StepDocuments;

const fileNames: Record<StepName, string> = {
  plan: "plan.json",
  build: "build.json",
  pack: "manifest.json",
  gates: "gates.json",
  publish: "publish.json",
};
const order = Object.keys(fileNames) as StepName[];

/** @throws ToolError CODEX_JS_RELEASE_STEP_MISSING (usage) naming the command that writes the file */
export async function readDocument<Name extends StepName>(
  outDir: string,
  step: Name,
): Promise<StepDocuments[Name]> {
  const file = join(outDir, fileNames[step]);
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw describeMissing(file, step, cause);
  });
  try {
    const document = JSON.parse(text);
    if (document.version === 1) return document;
  } catch (cause) {
    throw describeUnreadable(file, step, cause);
  }
  throw describeUnreadable(file, step, undefined);
}

export function writeDocument<Name extends StepName>(
  outDir: string,
  step: Name,
  document: StepDocuments[Name],
): Promise<void> {
  return writeJson(join(outDir, fileNames[step]), document);
}

/**
 * Removes what `step` and the steps after it have left: a document in the out dir always follows from the
 * documents before it.
 */
export async function dropDocumentsFrom(outDir: string, step: StepName): Promise<void> {
  for (const later of order.slice(order.indexOf(step))) await dropDocument(outDir, later);
}

/** Only the document of one step; those after it stand for themselves. */
export async function dropDocument(outDir: string, step: StepName): Promise<void> {
  await rm(join(outDir, fileNames[step]), { force: true });
}

/** Under its name there is only ever a whole file: a crash leaves the old one or the new one. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function describeMissing(file: string, step: StepName, cause: NodeJS.ErrnoException): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_STEP_MISSING",
    message: `${file} is ${cause.code === "ENOENT" ? "not there" : "not readable"}: the step \`${step}\` has to run first`,
    hint: `pnpm release ${step}`,
    exitCode: exitCodes.usage,
    ...(cause.code === "ENOENT" ? {} : { cause }),
  });
}

function describeUnreadable(file: string, step: StepName, cause: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_STEP_UNREADABLE",
    message: `${file} is not a document of format 1 of the step \`${step}\``,
    hint: `pnpm release ${step}`,
    exitCode: exitCodes.usage,
    cause,
  });
}
