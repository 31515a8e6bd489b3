import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readDocument } from "../document/read.ts";
import { createPage } from "./page.ts";

/** Writes the page of these documents; returns its size in bytes. @throws ToolError CODEX_JS_BENCH_BAD_DOCUMENT (usage) */
export async function writeReport(inputs: readonly string[], output: string): Promise<number> {
  const documents = await Promise.all(inputs.map(readDocument));
  const page = createPage(documents);
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, page);
  return Buffer.byteLength(page);
}
