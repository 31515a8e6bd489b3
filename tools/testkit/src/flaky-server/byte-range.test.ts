import { expect, test } from "vitest";
import { parseByteRange } from "./byte-range.ts";

test.each([
  [undefined, undefined],
  ["bytes=0-", { start: 0, end: 10 }],
  ["bytes=4-", { start: 4, end: 10 }],
  ["bytes=4-6", { start: 4, end: 7 }],
  ["bytes=4-99", { start: 4, end: 10 }],
  ["bytes=10-", null],
  ["bytes=-3", undefined],
  ["lines=1-2", undefined],
] as const)("%s of ten bytes", (header, range) => {
  expect(parseByteRange(header, 10)).toEqual(range);
});
