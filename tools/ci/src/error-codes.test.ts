import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("README.md explains every code, and none that is gone", () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const thrown = sources.flatMap((text) =>
    [...text.matchAll(/code: "(CODEX_JS_CI_\w+)"/g)].map(([, code]) => code!),
  );
  const explained = [...readme.matchAll(/^\| `(CODEX_JS_CI_\w+)`/gm)].map(([, code]) => code!);
  expect(thrown.length).toBeGreaterThan(10);
  expect(explained.sort()).toEqual([...new Set(thrown)].sort());
});
