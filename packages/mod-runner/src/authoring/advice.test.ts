import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createTempDir } from "../../tests/temp-dir.ts";
import { adviseGlobal, adviseImport, readSpecifier } from "./advice.ts";

let folder: string;

beforeEach(() => {
  folder = createTempDir();
  for (const dir of ["lib", "deep/er"]) mkdirSync(join(folder, dir), { recursive: true });
  for (const file of ["a.ts", "b.js", "data.json", "lib/index.ts", "deep/er/c.mts"]) {
    writeFileSync(join(folder, file), "");
  }
});

test.each<[string, string | undefined, importer?: string]>([
  ["./a", "./a.ts"],
  ["./a.js", "./a.ts"],
  ["./a.ts?x", "./a.ts"],
  ["./data", "./data.json"],
  ["./lib", "./lib/index.ts"],
  ["./deep/er/c.mjs", "./deep/er/c.mts"],
  ["../../b", "../../b.js", "deep/er/c.mts"],
  ["./c", "./c.mts", "deep/er/c.mts"],
  ["/a.ts", "../../a.ts", "deep/er/c.mts"],
  ["/lib/index", "./lib/index.ts"],
  ["./nothing", undefined],
  [".", undefined],
])("%s is %s", (specifier, written, importer = "main.ts") => {
  const advice = written && `write "${written}": an import is the file's own path, with its extension`;
  expect(adviseImport(specifier, folder, importer)).toBe(advice);
});

test.each([
  ["node:fs", /^mods have no Node modules; ask the host .*host\.call\(/],
  ["fs/promises", /^mods have no Node modules; ask the host .*host\.call\(/],
  ["node:crypto", /^mods have no Node modules; .*crypto\.subtle/],
  ["node:timers/promises", /^mods have no Node modules; .*"time\.sleep"/],
  ["lodash", /^a mod has its own files alone/],
  ["https://example.org/x.ts", /^a mod has its own files alone/],
  ["/etc/passwd", /^a mod has its own files alone/],
  ["../outside.ts", /^a mod has its own files alone/],
  ["@codex-js/mod-runner/mod", /^write import type/],
])("%s is not to be had", (specifier, advice) => {
  expect(adviseImport(specifier, folder, "main.ts")).toMatch(advice);
});

test("a global of another platform has something in its place, any other name has not", () => {
  expect(adviseGlobal("setTimeout")).toContain('host.call("time.sleep"');
  expect(adviseGlobal("fetch")).toContain("host.call(");
  for (const name of ["misspelt", "toString", "__proto__"]) expect(adviseGlobal(name)).toBeUndefined();
});

test("reads what an import names, and nothing outside the mod", () => {
  writeFileSync(join(folder, "a.ts"), "import \"./x\";\r\nimport { y } from './y';\n");
  expect(readSpecifier(folder, { module: "a.ts", line: 1, column: 8 })).toBe("./x");
  expect(readSpecifier(folder, { module: "a.ts", line: 2, column: 19 })).toBe("./y");
  expect(readSpecifier(folder, { module: "a.ts", line: 2, column: 1 })).toBeUndefined();
  expect(readSpecifier(folder, { module: "a.ts", line: 9, column: 1 })).toBeUndefined();
  expect(readSpecifier(folder, { module: "gone.ts", line: 1, column: 8 })).toBeUndefined();
  expect(readSpecifier(join(folder, "lib"), { module: "../a.ts", line: 1, column: 8 })).toBeUndefined();
});
