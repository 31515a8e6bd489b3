import { expect, test } from "vitest";
import type { Sample } from "./measure.ts";
import { compareRounds, median } from "./statistics.ts";

const withExits = (...exits: (number | null)[]) => exits.map((exitMs) => ({ exitMs }) as Sample);

test("the median of nothing, of an odd and of an even number", () => {
  expect([median([]), median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([undefined, 2, 2.5]);
});

test.each([
  ["a real saving, one run disturbed", withExits(1000, 950, 3000), withExits(50, 1200, 60), 950, true],
  ["a busy machine", withExits(330, 40, 400), withExits(35, 45, 120), 280, false],
  ["too little to matter", withExits(99, 99, 99), withExits(0, 0, 0), 99, false],
  ["a small part of a long time", withExits(5000, 5000), withExits(4800, 4800), 200, false],
])("%s", (_, base, other, savesMs, isClear) => {
  expect(compareRounds(base, other, "exitMs")).toEqual({ savesMs, rounds: base.length, isClear });
});

test("a round counts only where both were measured", () => {
  expect(compareRounds(withExits(500, null, 500), withExits(100, 100, null), "exitMs")).toEqual({
    savesMs: 400,
    rounds: 1,
    isClear: true,
  });
});
