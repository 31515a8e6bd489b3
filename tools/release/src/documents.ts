import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { z } from "zod";
import { gateReport } from "./gates/gate.ts";
import { releaseManifest } from "./pack/manifest.ts";
import { releasePlan } from "./plan/plan.ts";
import { publishReport } from "./publish/publish-report.ts";
import { describeSteps } from "./remedy.ts";
import { buildRecord } from "./staging/build-record.ts";

/** What each step leaves in the out dir for the next one, in the order of the steps. */
const documents = {
  plan: { fileName: "plan.json", schema: releasePlan },
  build: { fileName: "build.json", schema: buildRecord },
  pack: { fileName: "manifest.json", schema: releaseManifest },
  gates: { fileName: "gates.json", schema: gateReport },
  publish: { fileName: "publish.json", schema: publishReport },
} satisfies Record<string, { fileName: string; schema: z.ZodType }>;

export type StepName = keyof typeof documents;
type StepDocument<Name extends StepName> = z.infer<(typeof documents)[Name]["schema"]>;

export const stepOrder = Object.keys(documents) as readonly StepName[];

export function documentFile(outDir: string, step: StepName): string {
  return join(outDir, documents[step].fileName);
}

/**
 * @throws ToolError CODEX_JS_RELEASE_STEP_MISSING, CODEX_JS_RELEASE_STEP_UNREADABLE (usage), both naming
 * the command that writes the file
 */
export async function readDocument<Name extends StepName>(
  outDir: string,
  step: Name,
): Promise<StepDocument<Name>> {
  const { schema } = documents[step];
  const file = documentFile(outDir, step);
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw describeMissing(file, step, cause);
  });
  const parsed = schema.safeParse(parseJson(file, step, text));
  if (parsed.success) return parsed.data as StepDocument<Name>;
  throw describeUnreadable(file, step, formatIssues(parsed.error));
}

function parseJson(file: string, step: StepName, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw describeUnreadable(file, step, ["it is no JSON"], cause);
  }
}

/** One line for each fault, `packages[0].name: …`. */
function formatIssues({ issues }: z.ZodError): string[] {
  const lines = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
  );
  return lines.length > shownIssues
    ? [...lines.slice(0, shownIssues), `… and ${lines.length - shownIssues} more`]
    : lines;
}

const shownIssues = 10;

export function writeDocument<Name extends StepName>(
  outDir: string,
  step: Name,
  document: StepDocument<Name>,
): Promise<void> {
  return writeJson(documentFile(outDir, step), document);
}

/**
 * Removes what `step` and the steps after it have left: a document in the out dir always follows from the
 * documents before it.
 */
export async function dropDocumentsFrom(outDir: string, step: StepName): Promise<void> {
  for (const later of stepOrder.slice(stepOrder.indexOf(step))) await dropDocument(outDir, later);
}

/** Only the document of one step; those after it stand for themselves. */
export async function dropDocument(outDir: string, step: StepName): Promise<void> {
  await rm(documentFile(outDir, step), { force: true });
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
    hint: describeSteps(dirname(file), step),
    exitCode: exitCodes.usage,
    ...(cause.code === "ENOENT" ? {} : { cause }),
  });
}

function describeUnreadable(file: string, step: StepName, faults: string[], cause?: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_STEP_UNREADABLE",
    message: `${file} is not a document of format 1 of the step \`${step}\`\n${faults
      .map((fault) => `  ${fault}`)
      .join("\n")}`,
    hint: describeSteps(dirname(file), step),
    exitCode: exitCodes.usage,
    cause,
  });
}
