import { expect, test } from "vitest";
import { createLineReader, formatMessage } from "./framing.ts";

function read(chunks: Iterable<Uint8Array>, maxLineBytes?: number) {
  const lines: string[] = [];
  const oversized: string[] = [];
  const reader = createLineReader({
    onLine: (line) => lines.push(line),
    onOversizedLine: (head) => oversized.push(head),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, oversized, pendingBytes: reader.pendingBytes };
}

function* cut(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

// openai/codex#33617, #45727: readline takes U+2028 and U+2029 for line ends.
const messages = [
  { a: "U+2028 \u2028 U+2029 \u2029 NEL \u0085 CR \r VT \v" },
  { b: "Größe “ok” 日本語 🎉" },
  {},
  { c: "x".repeat(10_000), d: "ü".repeat(5_000), e: "🎉".repeat(3_000) },
  { f: "\n" },
];
const stream = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));

test.each([1, 2, 3, 7, 100, 4096, 65_536, stream.length])("cut into pieces of %i bytes", (size) => {
  const { lines, oversized, pendingBytes } = read(cut(stream, size));
  expect([lines.map((line) => JSON.parse(line)), oversized, pendingBytes]).toEqual([messages, [], 0]);
});

test("splits at LF alone, skips empty lines, keeps what JSON ignores", () => {
  expect(read([Buffer.from('\n\n{"a":1}\r\n \n{"b":\r2}\n\n{"c"')])).toEqual({
    lines: ['{"a":1}\r', " ", '{"b":\r2}'],
    oversized: [],
    pendingBytes: 4,
  });
});

test("plain Uint8Arrays are bytes too", () => {
  const bytes = new Uint8Array(new TextEncoder().encode("....one\ntwo\n").buffer, 4);
  expect(read([bytes]).lines).toEqual(["one", "two"]);
});

test("bytes that are no UTF-8 become U+FFFD, in short and in long lines", () => {
  const long = Buffer.concat([Buffer.from("ü".repeat(4096)), Buffer.from([0xff, 0x0a])]);
  expect(read([Buffer.from([0x61, 0xc3, 0x0a]), long]).lines).toEqual([
    "a\ufffd",
    `${"ü".repeat(4096)}\ufffd`,
  ]);
});

// From some length on, lines are decoded in other ways.
test.each([262_143, 262_144, 600_000, 1_031_912, 1_031_913, 3_000_000])("lines of about %i bytes", (size) => {
  const texts = ["x", "ü", "日本", "🎉", "\u2028ab"].map((part) =>
    part.repeat(Math.ceil(size / Buffer.byteLength(part))),
  );
  const mixed = `${"a".repeat(size - 4)}🎉`;
  const expected = [...texts, mixed, mixed.slice(0, -2), "short"];
  const bytes = Buffer.from(expected.map((text) => `${text}\n`).join(""));
  expect(read(cut(bytes, 65_536)).lines).toEqual(expected);
  const broken = Buffer.concat([Buffer.alloc(size, 0x61), Buffer.from([0xc3, 0x0a, 0x62, 0x0a])]);
  expect(read(cut(broken, 65_536)).lines).toEqual([`${"a".repeat(size)}\ufffd`, "b"]);
});

test.each([1, 5, 64, 1000])("a line past the bound is reported once and skipped, in pieces of %i", (size) => {
  const bytes = Buffer.from(
    `{"id":1}\n{"id":2,"${"x".repeat(500)}"}\n{"id":3}\n${"y".repeat(100)}\n{"id":4}\n`,
  );
  const { lines, oversized, pendingBytes } = read(cut(bytes, size), 99);
  expect(lines).toEqual(['{"id":1}', '{"id":3}', '{"id":4}']);
  expect(oversized.map((head) => head.slice(0, 9))).toEqual(['{"id":2,"', "yyyyyyyyy"]);
  expect(pendingBytes).toBe(0);
});

test("the bound itself is allowed", () => {
  expect(read(cut(Buffer.from(`${"x".repeat(99)}\n`), 7), 99).lines).toEqual(["x".repeat(99)]);
  expect(read([Buffer.from(`${"x".repeat(99)}\n`)], 99).lines).toEqual(["x".repeat(99)]);
});

test("memory stays at the bound while a line past it goes by", () => {
  let longest = 0;
  const reader = createLineReader({ maxLineBytes: 1000, onLine: () => {}, onOversizedLine: () => {} });
  for (let index = 0; index < 1000; index++) {
    reader.push(Buffer.alloc(100, 0x78));
    longest = Math.max(longest, reader.pendingBytes);
  }
  expect(longest).toBe(1000);
});

// The engine does not answer a message with a lone surrogate at all.
test("lone surrogates become U+FFFD and everything else stays", () => {
  const value = { "k\ud800": ["\udc00x", "🎉", "\\ud800", "\\\\\ud83d", '"\ud801"', "\u2028\n"] };
  expect(JSON.parse(formatMessage(value))).toEqual({
    "k\ufffd": ["\ufffdx", "🎉", "\\ud800", "\\\\\ufffd", '"\ufffd"', "\u2028\n"],
  });
  expect(formatMessage({ a: "b\nc" })).toBe('{"a":"b\\nc"}');
});

test("what comes after the last line feed is the rest", () => {
  const reader = createLineReader({ onLine: () => {}, onOversizedLine: () => {} });
  reader.push(Buffer.from("a\nb"));
  expect([reader.end(), reader.end()]).toEqual(["b", ""]);
});
