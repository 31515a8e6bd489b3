import { expect, test } from "vitest";
import { checkChangeset } from "./read-changesets.ts";

const packages = ["@x/a", "@x/b"];

test.each([
  ["good", '---\n"@x/a": minor\n"@x/b": patch\n---\n\nText\n', []],
  ["without a release", "---\n---\n\nText\n", []],
  ["unknown name", '---\n"@x/c": minor\n---\n\nText\n', ['"@x/c" is no public package of this workspace']],
  ["unknown bump", '---\n"@x/a": huge\n---\n\nText\n', [expect.stringContaining('"huge"')]],
  ["no front matter", "Text\n", ["missing or invalid frontmatter"]],
  ["not YAML", '---\n"@x/a: minor\n---\n\nText\n', ["invalid YAML in frontmatter"]],
  ["empty", "\n", ["file is empty"]],
])("%s", (_, text, problems) => {
  expect(checkChangeset(text, packages)).toEqual(problems);
});
