import { expect, test } from "vitest";
import { LineSplitter } from "./split-lines.ts";

function split(...chunks: (string | Uint8Array)[]) {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)));
  return { lines, rest: splitter.end() };
}

test("cuts at LF, whatever the chunks", () => {
  expect(split("a\nb", "c\n", "\nd", "e")).toEqual({ lines: ["a", "bc", ""], rest: "de" });
  expect(split("a\n")).toEqual({ lines: ["a"], rest: undefined });
});

// openai/codex#33617, #45727: readline cut JSON texts at U+2028, U+2029 and a lone CR.
test("keeps every other line separator", () => {
  expect(split("a\u2028b\u2029c\u0085d\re\n").lines).toEqual(["a\u2028b\u2029c\u0085d\re"]);
});

test("decodes a character that two chunks share", () => {
  const bytes = Buffer.from("x€🙂y\n");
  for (let at = 1; at < bytes.length; at++) {
    expect(split(bytes.subarray(0, at), bytes.subarray(at)).lines).toEqual(["x€🙂y"]);
  }
});
