import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "@typescript/typescript6";
import { expect, test } from "vitest";
import { packageDir } from "./temp-project.ts";

// What went wrong for others, and what they learned to do: each has a test here. The table says which, and this
// that it is there.

interface NamedTest {
  file: string;
  title: string;
}
interface Table {
  faults: { fault: string; address: string; what: string; tests: NamedTest[] }[];
  practices: { practice: string; tests: NamedTest[] }[];
}

const { faults, practices }: Table = JSON.parse(
  readFileSync(join(packageDir, "tests/public-faults.json"), "utf8"),
);

function readSource(file: string): string {
  try {
    return readFileSync(join(packageDir, file), "utf8");
  } catch {
    return "";
  }
}

/** Names along `test.skipIf(…).each(…)`, the first one first. */
function readCallee(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...readCallee(node.expression), node.name.text];
  return ts.isCallExpression(node) ? readCallee(node.expression) : [];
}

/** The titles of a file's tests that run; `skipIf` and `runIf` say where they cannot. */
function readTestTitles(file: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [root, ...modifiers] = readCallee(node.expression);
      const [title] = node.arguments;
      // Nor does what is in a group that does not run.
      if (modifiers.some((name) => name === "skip" || name === "todo")) return;
      if (root === "test" && title !== undefined && ts.isStringLiteralLike(title)) titles.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest));
  return titles;
}

const isThere = ({ file, title }: NamedTest) => readTestTitles(file).has(title);

test.each(faults)("a test guards against $fault: $what", ({ fault, address, tests }) => {
  const [repository, number] = fault.split("#");
  expect(address).toMatch(new RegExp(`^https://github.com/${repository}/(?:issues|pull)/${number}$`));
  expect(tests).not.toEqual([]);
  expect(tests.filter((one) => !isThere(one))).toEqual([]);
  // Whoever reads the test learns what it is for.
  const name = new RegExp(`#${number}\\b`);
  expect(tests.some(({ file }) => name.test(readSource(file)))).toBe(true);
});

test.each(practices)("a test shows it: $practice", ({ tests }) => {
  expect(tests).not.toEqual([]);
  expect(tests.filter((one) => !isThere(one))).toEqual([]);
});

test("a test that is not there is noticed", () => {
  const file = "tests/public-faults.test.ts";
  expect(isThere({ file, title: "a test that is not there is noticed" })).toBe(true);
  expect(isThere({ file, title: "no such test" })).toBe(false);
  expect(isThere({ file: "tests/no-such.test.ts", title: "a test that is not there is noticed" })).toBe(
    false,
  );
});
