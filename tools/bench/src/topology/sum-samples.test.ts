import { expect, test } from "vitest";
import type { ProcessSample } from "../processes/process-sample.ts";
import { sumCounterRises, sumSamples } from "./sum-samples.ts";
import { isAtPrompt } from "./wait-for-prompt.ts";

function processSample(pid: number, growth: number): ProcessSample {
  return {
    pid,
    name: "codex",
    memory: { rss: 100, pss: 60, private: 40, privateDirty: 30 },
    threads: 2,
    descriptors: 10,
    cpuTicks: 50 + growth,
    reads: 1000 + 2 * growth,
    writes: 500 + growth,
    switches: new Map([
      [pid, { voluntary: 7 + growth, involuntary: 1 }],
      [pid + 1, { voluntary: 3, involuntary: 1 + growth }],
    ]),
  };
}

test("levels are summed at every look, rises over the window, servers and TUIs apart", () => {
  const look = (atMs: number, growth: number) => {
    return { atMs, servers: [processSample(10, growth)], tuis: [processSample(20, 0), processSample(30, 0)] };
  };
  const samples = sumSamples("shared", 2, [look(0, 0), look(5000, 10)], 100);
  const values = (group: string, metric: string) =>
    samples.filter((sample) => sample.group === group && sample.metric === metric).map(({ value }) => value);
  expect(samples.every(({ side, block }) => side === "shared" && block === 2)).toBe(true);
  expect({
    pss: [values("everything", "pssKib"), values("servers", "pssKib"), values("tuis", "pssKib")],
    processes: values("everything", "processes"),
    cpu: [values("servers", "cpuPercent"), values("tuis", "cpuPercent")],
    reads: values("everything", "readCalls"),
    writes: values("everything", "writeCalls"),
    voluntary: values("servers", "voluntarySwitches"),
    involuntary: values("servers", "involuntarySwitches"),
  }).toEqual({
    pss: [
      [180, 180],
      [60, 60],
      [120, 120],
    ],
    processes: [3, 3],
    // 10 ticks of 10 ms in 5 s.
    cpu: [[2], [0]],
    reads: [20],
    writes: [10],
    voluntary: [10],
    involuntary: [10],
  });
});

test("embedded has no group of servers", () => {
  const look = (atMs: number) => ({ atMs, servers: [], tuis: [processSample(20, 0)] });
  const groups = sumSamples("embedded", 0, [look(0), look(1000)], 100).map(({ group }) => group);
  expect([...new Set(groups)]).toEqual(["everything", "tuis"]);
});

test("counters that appear count in full, ones that go count to their last look", () => {
  const looks = [
    { a: 5, b: 1 },
    { a: 7, b: 4, c: 6 },
    { a: 9, c: 6 },
  ].map((look) => new Map(Object.entries(look)));
  expect(sumCounterRises(looks)).toBe(2 + 3 + 6 + 2);
});

test("at the prompt means idle, an empty composer, and the thread's name", () => {
  const screen = "\x1b[37;1H\x1b[1m›\x1b[37;3H\x1b[22m\x1b[2mAsk Codex to do anything\x1b[38;1H harness 07";
  const idle = "\x1b]7501;state=idle:app=codex\x1b\\";
  expect(isAtPrompt(idle + screen, "harness 07")).toBe(true);
  expect(isAtPrompt(screen, "harness 07")).toBe(false);
  expect(isAtPrompt(idle + screen, "harness 08")).toBe(false);
});
