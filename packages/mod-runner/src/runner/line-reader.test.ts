import { expect, test } from "vitest";
import { LineReader } from "./line-reader.ts";

function readAll(reader: LineReader, chunks: readonly string[]): string[] {
  return chunks.flatMap((chunk) =>
    [...reader.push(Buffer.from(chunk))].map((line) => Buffer.from(line).toString()),
  );
}

test("two lines in one chunk, one line in many, empty lines", () => {
  const reader = new LineReader(100);
  expect(readAll(reader, ["a\nb\n", "c", "d", "\n\n", "e"])).toEqual(["a", "b", "cd", ""]);
  expect(reader.restBytes).toBe(1);
});

test("cuts at LF alone, and bytes of a character that come apart are put together", () => {
  const reader = new LineReader(100);
  const bytes = Buffer.from("a\u2028\u0085ü\n");
  const lines = [...bytes].flatMap((byte) => [...reader.push(Uint8Array.of(byte))]);
  expect(lines.map((line) => Buffer.from(line).toString())).toEqual(["a\u2028\u0085ü"]);
});

test("a line of the limit is taken, one byte more is not, with its end or without", () => {
  expect(readAll(new LineReader(4), ["1234\n"])).toEqual(["1234"]);
  expect(() => readAll(new LineReader(4), ["12345\n"])).toThrow(RangeError);
  expect(() => readAll(new LineReader(4), ["123", "45"])).toThrow("a line of more than 4 bytes");
});
