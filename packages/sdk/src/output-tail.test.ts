import { expect, test } from "vitest";
import { OutputTail } from "./output-tail.ts";

test("keeps everything up to the limit", () => {
  const tail = new OutputTail(6);
  tail.push(Buffer.from("abc"));
  tail.push(Buffer.from("def"));
  expect(String(tail)).toBe("abcdef");
});

test("keeps the end of more, and counts what is gone", () => {
  const tail = new OutputTail(4);
  for (const text of ["abc", "def", "ghijkl", "m"]) tail.push(Buffer.from(text));
  expect(String(tail)).toBe("… (9 bytes left out)\njklm");
});
