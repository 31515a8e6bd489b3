import { expect, test } from "vitest";
import { quote } from "./hyperfine.ts";

test("only what a shell would split or expand is quoted", () => {
  expect(["--version", "/a/b.js", "C:\\a b", "it's", ""].map(quote)).toEqual([
    "--version",
    "/a/b.js",
    "'C:\\a b'",
    "'it'\\''s'",
    "''",
  ]);
});
