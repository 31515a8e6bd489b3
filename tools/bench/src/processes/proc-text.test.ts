import { expect, test } from "vitest";
import { parseIo, parseSmapsRollup, parseStat, parseSwitches } from "./proc-text.ts";
import { findDescendants, type ProcessEntry } from "./process-tree.ts";

test("smaps_rollup: private is clean and dirty together, Pss is not Pss_Dirty", () => {
  const text = `5567f2c00000-7ffd3b3f9000 ---p 00000000 00:00 0                          [rollup]
Rss:               60412 kB
Pss:               31234 kB
Pss_Dirty:         20110 kB
Pss_Anon:          20100 kB
Pss_File:          11134 kB
Shared_Clean:      39000 kB
Shared_Dirty:          0 kB
Private_Clean:      1302 kB
Private_Dirty:     20110 kB
Referenced:        60412 kB
`;
  expect(parseSmapsRollup(text)).toEqual({ rss: 60412, pss: 31234, private: 21412, privateDirty: 20110 });
});

test("status and io", () => {
  const status =
    "Name:\tcodex\nThreads:\t36\nvoluntary_ctxt_switches:\t812\nnonvoluntary_ctxt_switches:\t9\n";
  expect(parseSwitches(status)).toEqual({ voluntary: 812, involuntary: 9 });
  expect(parseIo("rchar: 9\nwchar: 8\nsyscr: 77\nsyscw: 66\nread_bytes: 0\nwrite_bytes: 0\n")).toEqual({
    reads: 77,
    writes: 66,
  });
});

test("stat: the name may hold brackets and spaces", () => {
  const text = `4242 (a) b (c) S 17 4242 4240 34816 4242 4194304 9 0 0 0 31 12 0 0 20 0 36 0 987654 1 2`;
  expect(parseStat(text)).toEqual({
    name: "a) b (c",
    zombie: false,
    parentPid: 17,
    sessionId: 4240,
    cpuTicks: 43,
    startTicks: 987654,
  });
});

test("a text without the field is an error, not a zero", () => {
  expect(() => parseSmapsRollup("Rss: 1 kB\n")).toThrow("no Private_Dirty");
});

test("a tree holds grandchildren, re-parented members of a root's session, and no zombie", () => {
  const entry = (pid: number, parentPid: number, sessionId: number, zombie = false): ProcessEntry => {
    return { pid, parentPid, sessionId, zombie, name: "x", cpuTicks: 0, startTicks: 0 };
  };
  const all = [
    entry(1, 0, 1),
    entry(10, 5, 10),
    entry(11, 10, 10),
    entry(12, 11, 12),
    entry(13, 1, 10),
    entry(14, 10, 10, true),
    entry(20, 5, 20),
    entry(30, 1, 30),
  ];
  const found = findDescendants([10, 20], all);
  expect([...found].map(([root, tree]) => [root, tree.map(({ pid }) => pid)])).toEqual([
    [10, [10, 11, 12, 13]],
    [20, [20]],
  ]);
});
