import { mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BenchDocument } from "./types.ts";

/** Written beside its place and renamed: a file that is there is whole. */
export async function writeDocument(path: string, document: BenchDocument): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temp = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  await writeFile(temp, formatDocument(document));
  await rename(temp, path);
}

/** JSON with one sample a line: thousands of samples stay readable, and diffs stay small. */
export function formatDocument(document: BenchDocument): string {
  const fields = Object.entries(document).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${formatField(value)}`,
  );
  return `{\n${fields.join(",\n")}\n}\n`;
}

function formatField(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
  if (value.length === 0) return "[]";
  return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
}
