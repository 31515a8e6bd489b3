import { expect, test } from "vitest";
import { parsePs, parseStat } from "./process-tree.ts";

test("reads /proc/PID/stat, whatever the program is called", () => {
  const rest = "100 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
  expect([
    parseStat(9, `9 (a) b ) R) S ${rest}`),
    parseStat(9, `9 (gone) Z ${rest}`),
    parseStat(9, "nonsense"),
  ]).toEqual([[{ pid: 9, parent: 100, startedAt: "4711" }], [], []]);
});

test("reads what ps prints", () => {
  expect(parsePs("    1     0 Mon Nov 30 15:29:01 2026\n 4242     1 Mon Nov 30 15:30:02 2026  \n\n")).toEqual(
    [
      { pid: 1, parent: 0, startedAt: "Mon Nov 30 15:29:01 2026" },
      { pid: 4242, parent: 1, startedAt: "Mon Nov 30 15:30:02 2026" },
    ],
  );
});
