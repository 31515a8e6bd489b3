import { expect, test } from "vitest";
import { judgeGrowth, judgeTurns, type ModelRequest } from "./judge.ts";
import { formatPrompt, parsePrompt, type RestReport, type TurnReport } from "./types.ts";

const prompt = (turn: number) => formatPrompt(turn, "answer", 0);
const asked = (...turns: number[]): ModelRequest => ({ prompts: turns.map(prompt) });

function report(turn: number, part: Partial<TurnReport> = {}): TurnReport {
  return {
    event: "turn",
    turn,
    kind: "answer",
    worker: 0,
    threadId: "a",
    end: "completed",
    abort: false,
    ms: 1,
    ...part,
  };
}

test("a prompt says what it is, and other texts do not", () => {
  expect(parsePrompt(formatPrompt(17, "stream", 5))).toEqual({ turn: 17, kind: "stream", delayMs: 5 });
  expect(parsePrompt("<environment_context>")).toBeUndefined();
});

test("turns that ran once, crashes and wanted aborts among them, are in order", () => {
  const reports = [
    report(0),
    report(1, { end: "crashed" }),
    report(2, { end: "aborted", abort: true }),
    report(3),
    report(4, { end: "thread lost", threadId: "b" }),
  ];
  // The crashed one had got to the model, the aborted one had not.
  const requests = [asked(0), asked(0, 1), asked(0, 1, 3)];
  expect(judgeTurns(5, reports, requests)).toEqual({ lost: 0, doubled: 0, problems: [] });
});

test.each<[string, TurnReport[], ModelRequest[], { lost: number; doubled: number }, string]>([
  [
    "a crashed turn that was run once more",
    [report(0, { end: "crashed" })],
    [asked(0), asked(0)],
    { lost: 0, doubled: 1 },
    "asked of the model more than once: turns 0",
  ],
  [
    "a turn that stands in its thread twice",
    [report(0), report(1)],
    [asked(0), asked(0, 0, 1)],
    { lost: 0, doubled: 1 },
    "twice in their thread: turns 0",
  ],
  [
    "a completed turn that its thread has forgotten",
    [report(0), report(1)],
    [asked(0), asked(1)],
    { lost: 1, doubled: 0 },
    "completed and then not in their thread: 0",
  ],
  [
    "a completed turn that the model does not know",
    [report(0)],
    [],
    { lost: 1, doubled: 0 },
    "completed without the model: turns 0",
  ],
  ["a turn that never came back", [], [asked(0)], { lost: 1, doubled: 0 }, "never reported: turns 0"],
  [
    "somebody else's answer",
    [report(0, { end: "wrong answer", detail: "the answer to turn 1" })],
    [asked(0)],
    { lost: 0, doubled: 0 },
    "turn 0: wrong answer, the answer to turn 1",
  ],
  [
    "an abort that nobody asked for",
    [report(0, { end: "aborted" })],
    [asked(0)],
    { lost: 0, doubled: 0 },
    "turn 0 was aborted by nobody",
  ],
])("%s", (_, reports, requests, counts, problem) => {
  const turns = 1 + Math.max(0, ...reports.map(({ turn }) => turn));
  expect(judgeTurns(turns, reports, requests)).toEqual({ ...counts, problems: [problem] });
});

test("another thread's turns need not be known", () => {
  const reports = [report(0), report(1, { threadId: "b" })];
  expect(judgeTurns(2, reports, [asked(0), asked(1)]).problems).toEqual([]);
});

const rest = (turns: number, part: Partial<RestReport> = {}): RestReport => {
  return { event: "rest", turns, heapKib: 10_000, rssKib: 80_000, descriptors: 26, clients: 1, ...part };
};

test("growth is from the first quarter to the last, and a single peak is none", () => {
  const looks = (last: Partial<RestReport>) =>
    Array.from({ length: 12 }, (_, index) => rest(index, index >= 9 ? last : {}));
  expect(judgeGrowth(looks({}))).toEqual([]);
  expect(judgeGrowth(looks({ heapKib: 20_000, rssKib: 200_000, descriptors: 60 }))).toEqual([
    "heap grew from 10000 to 20000",
    "resident memory grew from 80000 to 200000",
    "descriptors grew from 26 to 60",
  ]);
  const peak = [...looks({}).slice(0, 11), rest(11, { descriptors: 60 })];
  expect(judgeGrowth(peak)).toEqual([]);
  expect(judgeGrowth([rest(0)])).toEqual(["too few turns to tell growth"]);
});
