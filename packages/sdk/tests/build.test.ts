import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkImports } from "../scripts/checks.ts";

const distDir = join(import.meta.dirname, "../dist");

test("dist/ holds the two files that are published", async () => {
  expect((await readdir(distDir)).sort()).toEqual(["index.d.ts", "index.js"]);
});

test("what is built refers to Node's builtins alone, without a path of the machine that built it", async () => {
  for (const name of ["index.js", "index.d.ts"]) {
    const code = await readFile(join(distDir, name), "utf8");
    expect(checkImports(name, code)).toEqual([]);
    expect(code).not.toContain(join(import.meta.dirname, "../../.."));
  }
});

test.each([
  ['import { A } from "@codex-js/protocol";'],
  ['import "side-effect";'],
  ["export * from './other.js';"],
  ["import {\n  A,\n  B\n} from 'several-lines';"],
  ['export type {\n  A,\n} from "several-lines";'],
  ["type A = import('inline').A;"],
  ["const a = require('common');"],
  ['/// <reference types="node" />'],
])("an import that users do not have fails the build: %s", (code) => {
  expect(checkImports("x", code)).toHaveLength(1);
});

test.each([
  ['import { join } from "node:path";'],
  ["export { Codex };"],
  ['const text = "imported from \\"elsewhere\\"";'],
  [' * import { Codex } from "an example in a comment";'],
])("and this does not: %s", (code) => {
  expect(checkImports("x", code)).toEqual([]);
});
