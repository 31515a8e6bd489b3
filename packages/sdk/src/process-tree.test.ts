import { expect, test } from "vitest";
import { parsePs, parseStat } from "./process-tree.ts";

test("reads /proc/PID/stat, whatever the program is called", () => {
  const rest = "100 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
  expect([
    parseStat(9, `9 (a) b ) R) S ${rest}`),
    parseStat(9, `9 (gone) Z ${rest}`),
    parseStat(9, "nonsense"),
  ]).toEqual([{ pid: 9, parentPid: 100, groupId: 7, sessionId: 7, startTime: "4711" }, undefined, undefined]);
});

test("reads what ps prints", () => {
  const output =
    "    1     0    1 Ss   Mon Nov 30 15:29:01 2026\n 4242     1 4242 R+   Mon Nov 30 15:30:02 2026  \n   7  1  7 Z  x\n\n";
  expect(parsePs(output)).toEqual([
    { pid: 1, parentPid: 0, groupId: 1, sessionId: 0, startTime: "Mon Nov 30 15:29:01 2026" },
    { pid: 4242, parentPid: 1, groupId: 4242, sessionId: 0, startTime: "Mon Nov 30 15:30:02 2026" },
  ]);
});
