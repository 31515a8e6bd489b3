import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { writeOutputSchemaFile } from "./output-schema-file.ts";

test("writes the schema into a folder of its own and removes it", async () => {
  const file = await writeOutputSchemaFile({ type: "object" });
  expect(JSON.parse(readFileSync(file.path!, "utf8"))).toEqual({ type: "object" });
  await file.remove();
  expect(existsSync(dirname(file.path!))).toBe(false);
});

test("no schema, no file", async () => {
  const file = await writeOutputSchemaFile(undefined);
  await file.remove();
  expect(file.path).toBeUndefined();
});

test.each([null, [], "text", 1, true])("%j is no schema", async (schema) => {
  await expect(writeOutputSchemaFile(schema)).rejects.toMatchObject({
    code: "CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID",
    message: "outputSchema must be a plain JSON object",
  });
});
