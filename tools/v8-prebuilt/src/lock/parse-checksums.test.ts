import { ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { parseChecksums } from "./parse-checksums.ts";

const [one, two] = ["1".repeat(64), "2".repeat(64)];

function readProblems(text: string): string {
  try {
    parseChecksums(text, ["a", "b"], "FILE");
    return "";
  } catch (error) {
    return error instanceof ToolError ? `${error.code} ${error.message}` : "";
  }
}

test.each([`${one}  a\n${two}  b\n`, `${two} *b\r\n${one} *a\r\n`, `\n${one.toUpperCase()}  a\n\n${two}  b`])(
  "reads %j",
  (text) => {
    expect(parseChecksums(text, ["a", "b"], "FILE")).toEqual({ a: one, b: two });
  },
);

test.each([
  ["", "a has no line; b has no line"],
  [`${one}  a\n`, "b has no line"],
  [`${one}  a\n${two}  b\n${two}  c\n`, "line 3 is for another file, c"],
  [`${one}  a\n${two}  a\n${two}  b\n`, "a stands there twice"],
  ["<html>\n", "line 1 is no checksum; a has no line; b has no line"],
  [`${one}  ../a\n${two}  b\n`, "line 1 is for another file, ../a; a has no line"],
  ["x\n".repeat(20), "and 17 more"],
])("refuses %j", (text, problems) => {
  expect(readProblems(text)).toContain("CODEX_JS_V8_CHECKSUMS FILE is no checksum file: ");
  expect(readProblems(text)).toContain(problems);
});
