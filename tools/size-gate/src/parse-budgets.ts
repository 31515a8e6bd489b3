import { readFile } from "node:fs/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { SizeBudgets } from "./types.ts";

type Fields = Record<string, (value: unknown, path: string) => string[]>;

/**
 * Reads budgets.json and reports everything that is wrong with it at once.
 * @throws ToolError CODEX_JS_SIZE_BUDGETS (usage)
 */
export async function readBudgets(file: string): Promise<SizeBudgets> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw budgetsError(`${file} cannot be read as JSON`, cause);
  }
  const problems = findBudgetProblems(value);
  if (problems.length > 0) throw budgetsError([`${file}:`, ...problems].join("\n  "));
  return value as SizeBudgets;
}

/** What keeps a value from being {@link SizeBudgets}, one line for each fault; empty when it is one. */
export function findBudgetProblems(value: unknown): string[] {
  return checkObject(value, "", {
    version: (version, path) => (version === 1 ? [] : [`${path} must be 1, it is ${show(version)}`]),
    growthPercent: checkNumber,
    packages: (packages, path) => checkMap(packages, path, checkPackage),
    bundles: (bundles, path) =>
      Array.isArray(bundles)
        ? bundles.flatMap((bundle, index) => checkBundle(bundle, `${path}[${index}]`))
        : [`${path} must be a list, it is ${show(bundles)}`],
  });
}

function checkPackage(value: unknown, path: string): string[] {
  const fields: Fields = {
    packedBytes: checkNumber,
    unpackedBytes: checkNumber,
    files: (files, at) => checkMap(files, at, checkNumber),
  };
  return checkObject(value, path, fields, { growthPercent: checkNumber });
}

function checkBundle(value: unknown, path: string): string[] {
  return checkObject(value, path, { package: checkText, import: checkText, brotliBytes: checkNumber });
}

function checkObject(value: unknown, path: string, required: Fields, optional: Fields = {}): string[] {
  if (!isObject(value)) return [`${path === "" ? "the file" : path} must be an object, it is ${show(value)}`];
  const at = (key: string) => (path === "" ? key : `${path}.${key}`);
  const known: Fields = { ...required, ...optional };
  return [
    ...Object.keys(required)
      .filter((key) => !(key in value))
      .map((key) => `${at(key)} is missing`),
    ...Object.entries(value).flatMap(([key, nested]) => {
      const check = known[key];
      if (check !== undefined) return check(nested, at(key));
      return [`${at(key)} is not known; known here: ${Object.keys(known).join(", ")}`];
    }),
  ];
}

function checkMap(value: unknown, path: string, check: (value: unknown, path: string) => string[]): string[] {
  if (!isObject(value)) return [`${path} must be an object, it is ${show(value)}`];
  return Object.entries(value).flatMap(([key, nested]) => check(nested, `${path}["${key}"]`));
}

function checkNumber(value: unknown, path: string): string[] {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return [];
  return [`${path} must be a whole number of 0 or more, it is ${show(value)}`];
}

function checkText(value: unknown, path: string): string[] {
  return typeof value === "string" && value !== "" ? [] : [`${path} must be a text, it is ${show(value)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}

function budgetsError(message: string, cause?: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_SIZE_BUDGETS",
    message,
    hint: "mend that file; SizeBudgets in tools/size-gate/src/types.ts says what each field means",
    exitCode: exitCodes.usage,
    cause,
  });
}
