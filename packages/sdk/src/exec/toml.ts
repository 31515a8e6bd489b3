import { CodexError } from "../errors.ts";

/**
 * A value as an inline TOML literal.
 * @param path - where it stands, for the message
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function toToml(value: unknown, path: string, depth = 0): string {
  checkDepth(path, depth);
  if (typeof value === "string") return toTomlString(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (Number.isFinite(value)) return String(value);
    throw configError(`Codex config override at ${path} must be a finite number`);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => toToml(item, `${path}[${index}]`, depth + 1)).join(", ")}]`;
  }
  if (isTable(value)) {
    const pairs = listEntries(value).map(
      ([key, child]) => `${toTomlKey(key)} = ${toToml(child, `${path}.${key}`, depth + 1)}`,
    );
    return `{${pairs.join(", ")}}`;
  }
  if (value === null) throw configError(`Codex config override at ${path} cannot be null`);
  throw configError(`Unsupported Codex config override value at ${path}: ${typeof value}`);
}

/** An object that stands for a table: a plain one. A Map or a Date has no entries of its own. */
export function isTable(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** @throws CodexError CODEX_JS_SDK_CONFIG_INVALID for what is nested too deeply, if not in itself */
export function checkDepth(path: string, depth: number): void {
  if (depth > 100) throw configError(`Codex config override at ${path.slice(0, 40)}… is nested too deeply`);
}

/** A table's entries without those that are undefined. */
export function listEntries(table: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(table);
  if (entries.some(([key]) => key === "")) {
    throw configError("Codex config override keys must be non-empty strings");
  }
  return entries.filter(([, value]) => value !== undefined);
}

export function configError(message: string): CodexError {
  return new CodexError("CODEX_JS_SDK_CONFIG_INVALID", message, {
    hint: "config takes nested objects of strings, finite numbers, booleans and arrays; leave a key out to have the default",
  });
}

/**
 * JSON's escapes are TOML's, but for two things that TOML refuses: DEL as it is, and halves of a
 * surrogate pair. The engine would take a string that it cannot parse for a bare word, quotes included.
 */
function toTomlString(value: string): string {
  return JSON.stringify(value.toWellFormed()).replaceAll("\u007f", "\\u007f");
}

function toTomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : toTomlString(key);
}
