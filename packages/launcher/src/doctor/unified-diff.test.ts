import { expect, test } from "vitest";
import { formatUnifiedDiff } from "./unified-diff.ts";

test("changes far apart are hunks of their own, with three lines around", () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
  const after = before.with(1, "two\n").toSpliced(17, 1, "a\n", "b\n");
  expect(formatUnifiedDiff("f", before.join(""), after.join(""))).toBe(
    "--- f\n+++ f\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n" +
      "@@ -15,6 +15,7 @@\n 15\n 16\n 17\n-18\n+a\n+b\n 19\n 20\n",
  );
});

test("a new file, a missing line end, equal texts", () => {
  expect([
    formatUnifiedDiff("f", undefined, "a\n"),
    formatUnifiedDiff("f", "a", "a\nb\n"),
    formatUnifiedDiff("f", "a", "a"),
  ]).toEqual([
    "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n",
    "--- f\n+++ f\n@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n",
    "",
  ]);
});
