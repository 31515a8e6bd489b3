import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FakePlan } from "./plan.ts";

/** Writes a runner that does as `plan` says; returns its path. It is a script: `#!` and this very Node. */
export function createFakeRunner(dir: string, plan: FakePlan = {}): string {
  const path = join(dir, "fake-runner");
  // A program's own type is looked up by its folder's package.json, and a data: URL has none.
  const code = `import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "run.ts")).href)})
    .then(({ runFake }) => runFake(${JSON.stringify(plan)}));\n`;
  writeFileSync(path, `#!${process.execPath}\n${code}`);
  chmodSync(path, 0o755);
  return path;
}
