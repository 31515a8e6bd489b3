import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Results } from "./results.ts";

const path = join(import.meta.dirname, "..", "results.json");

export function readResults(): Results {
  return JSON.parse(readFileSync(path, "utf8"));
}

export function writeResults(results: Results): void {
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
}
