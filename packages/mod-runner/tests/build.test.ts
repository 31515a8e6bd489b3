import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkImports } from "../scripts/check-imports.ts";

const distDir = join(import.meta.dirname, "../dist");

test("dist/ holds the files that are published", async () => {
  const files = ["codex-js-mod.js", "index.d.ts", "index.js", "mod.d.ts", "mod.schema.json", "realm.d.ts"];
  expect((await readdir(distDir)).sort()).toEqual(files);
  expect((await stat(join(distDir, "codex-js-mod.js"))).mode & 0o111).toBe(0o111);
});

test("what is built refers to Node's builtins alone, without a path of the machine that built it", async () => {
  for (const name of ["codex-js-mod.js", "index.js", "index.d.ts", "mod.d.ts", "realm.d.ts"]) {
    const code = await readFile(join(distDir, name), "utf8");
    expect(checkImports(name, code)).toEqual([]);
    expect(code).not.toContain(join(import.meta.dirname, "../../.."));
  }
});

test.each([
  ['import { A } from "@codex-js/platforms";'],
  ['import "side-effect";'],
  ["export * from './other.js';"],
  ["import {\n  A,\n  B\n} from 'several-lines';"],
  ["type A = import('inline').A;"],
  ["const a = require('common');"],
  ['/// <reference types="node" />'],
])("an import that users do not have fails the build: %s", (code) => {
  expect(checkImports("x", code)).toHaveLength(1);
});

test.each([
  ['import { join } from "node:path";\nimport { A } from "./index.js";'],
  ['export type A = "one" | "two";'],
  [' * import { A } from "an example in a comment";'],
])("and this does not: %s", (code) => {
  expect(checkImports("x", code)).toEqual([]);
});
