import { readFile } from "node:fs/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { type FaultRule, parseFaultRules } from "../fault-plan/index.ts";

/** One plan for each server. */
export interface ServerFaults {
  registry: FaultRule[];
  github: FaultRule[];
}

/**
 * From a JSON file such as `{ "registry": [], "github": [{ "match": { "method": "POST" }, "fault": { "status": 502 } }] }`.
 * @throws ToolError CODEX_JS_TESTKIT_BAD_FAULT_PLAN (usage)
 */
export async function readFaultFile(path: string): Promise<ServerFaults> {
  const json = await readJson(path);
  const unknown = Object.keys(json).filter((name) => name !== "registry" && name !== "github");
  if (unknown.length > 0)
    throw createFileError(path, `it has ${unknown.join(", ")}, expected registry and github`);
  const { registry = [], github = [] } = json;
  return { registry: parseFaultRules(registry), github: parseFaultRules(github) };
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof json === "object" && json !== null && !Array.isArray(json))
      return json as Record<string, unknown>;
  } catch (cause) {
    throw createFileError(path, "it cannot be read as JSON", cause);
  }
  throw createFileError(path, "it is no object");
}

function createFileError(path: string, problem: string, cause?: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_TESTKIT_BAD_FAULT_PLAN",
    message: `the fault plan ${path} cannot be used: ${problem}`,
    hint: "tools/testkit/src/fault-plan/schema.ts says what rules may be",
    exitCode: exitCodes.usage,
    cause,
  });
}
