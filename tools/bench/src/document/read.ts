import { readFile } from "node:fs/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { BenchDocument } from "./types.ts";

/** @throws ToolError CODEX_JS_BENCH_BAD_DOCUMENT (usage) */
export async function readDocument(path: string): Promise<BenchDocument> {
  const fail = (what: string, cause?: unknown) =>
    new ToolError({
      code: "CODEX_JS_BENCH_BAD_DOCUMENT",
      message: `${path} ${what}`,
      hint: "pass a file that a scenario wrote with --output",
      exitCode: exitCodes.usage,
      ...(cause === undefined ? {} : { cause }),
    });
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw fail("cannot be read as JSON", cause);
  }
  if (!isBenchDocument(document)) throw fail("is no benchmark document of version 1");
  return document;
}

function isBenchDocument(value: unknown): value is BenchDocument {
  if (typeof value !== "object" || value === null) return false;
  const { version, scenario, samples, series, comparisons } = value as Record<string, unknown>;
  return (
    version === 1 &&
    typeof scenario === "string" &&
    [samples, series].every(Array.isArray) &&
    Array.isArray(comparisons) &&
    comparisons.every((one) => one?.medians !== undefined)
  );
}
