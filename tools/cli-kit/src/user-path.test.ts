import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveUserPath } from "./user-path.ts";

test("a relative path starts at cwd", () => {
  const cwd = import.meta.dirname;
  expect(resolveUserPath(cwd, "--out", "a/b")).toBe(join(cwd, "a", "b"));
});

test.each([[""], [" "]])("%o is no path: it would be cwd", (path) => {
  expect(() => resolveUserPath(import.meta.dirname, "--out", path)).toThrow("--out is empty");
});
