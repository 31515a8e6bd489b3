import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodexError } from "../errors.ts";

/** A schema on disk, for the engine to read. */
export interface OutputSchemaFile {
  /** Undefined where a turn has no schema. */
  path: string | undefined;
  /** Removes the file and its folder; never fails. */
  remove(): Promise<void>;
}

/**
 * Writes a turn's output schema into a temp folder of its own.
 * @throws CodexError CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID for anything but a plain object
 */
export async function writeOutputSchemaFile(schema: unknown): Promise<OutputSchemaFile> {
  if (schema === undefined) return { path: undefined, remove: async () => {} };
  const text = checkOutputSchema(schema);
  const dir = await mkdtemp(join(tmpdir(), "codex-output-schema-"));
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  const path = join(dir, "schema.json");
  try {
    await writeFile(path, text);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/**
 * A schema as JSON.
 * @throws CodexError CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID for anything but a plain object
 */
export function checkOutputSchema(schema: unknown): string {
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) {
    try {
      return JSON.stringify(schema);
    } catch {
      // It refers to itself, or has a BigInt.
    }
  }
  throw new CodexError("CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID", "outputSchema must be a plain JSON object", {
    hint: 'pass a JSON Schema such as { type: "object", properties: … }, or leave outputSchema out',
  });
}
