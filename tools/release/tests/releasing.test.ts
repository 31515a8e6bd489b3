import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findWorkspaceRoot } from "@codex-js/cli-kit";
import { expect, test } from "vitest";

const root = findWorkspaceRoot(import.meta.dirname);
const sources = [join(root, "tools", "release", "src"), join(root, "tools", "testkit", "src", "registry")];

test("RELEASING.md has every code that a release can end with, and no other", () => {
  const table = readFileSync(join(root, "RELEASING.md"), "utf8");
  const documented = [...table.matchAll(/^\| `(CODEX_JS_\w+)`/gm)].map((match) => match[1]!);
  expect(documented.filter((code, index) => documented.indexOf(code) !== index)).toEqual([]);
  expect(documented.filter((code) => ownCode.test(code)).sort()).toEqual(listCodes());
});

const ownCode = /CODEX_JS_(?:RELEASE|REGISTRY)_[A-Z0-9_]+/;

function listCodes(): string[] {
  const codes = new Set<string>();
  for (const dir of sources) {
    for (const file of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts") || /^github[\\/]/.test(file)) continue;
      const text = readFileSync(join(dir, file), "utf8");
      for (const [code] of text.matchAll(new RegExp(ownCode, "g"))) codes.add(code);
    }
  }
  return [...codes, ...listGithubCodes()].sort();
}

/** Those of GitHub's side are put together from the name of the condition. */
function listGithubCodes(): string[] {
  const text = readFileSync(join(root, "tools", "release", "src", "github", "github-error.ts"), "utf8");
  const conditions = [...text.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map((match) => match[1]!);
  expect(conditions.length).toBeGreaterThan(10);
  return conditions.map((condition) => `CODEX_JS_RELEASE_GITHUB_${condition}`);
}
