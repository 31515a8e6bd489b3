import { median } from "../statistics/quantile.ts";
import { parsePrompt, type RestReport, type TurnReport } from "./types.ts";

/** What the model was asked: the prompts of the turns in one request, in order, the newest one last. */
export interface ModelRequest {
  prompts: readonly string[];
}

export interface Verdict {
  /** Turns that somebody was told are done and that their thread does not know. */
  lost: number;
  /** Turns that ran, or stand in their thread, more than once. */
  doubled: number;
  problems: string[];
}

/** Holds what the program was told against what the model was asked. */
export function judgeTurns(
  turns: number,
  reports: readonly TurnReport[],
  requests: readonly ModelRequest[],
): Verdict {
  const problems: string[] = [];
  const asked = new Map<number, number>();
  const byTurn = new Map(reports.map((report) => [report.turn, report]));
  for (const { turn } of requests.flatMap(readNewest)) asked.set(turn, (asked.get(turn) ?? 0) + 1);

  const doubled = [...asked].filter(([, times]) => times > 1).map(([turn]) => turn);
  const repeated = requests.flatMap(findRepeated);
  if (doubled.length > 0) problems.push(`asked of the model more than once: turns ${doubled.join(", ")}`);
  if (repeated.length > 0) problems.push(`twice in their thread: turns ${repeated.join(", ")}`);

  const missing = Array.from({ length: turns }, (_, turn) => turn).filter((turn) => !byTurn.has(turn));
  if (missing.length > 0) problems.push(`never reported: turns ${missing.join(", ")}`);
  if (byTurn.size !== reports.length) problems.push("some turns were reported more than once");
  const completed = reports.filter(({ end }) => end === "completed");
  const unasked = completed.filter(({ turn }) => !asked.has(turn)).map(({ turn }) => turn);
  if (unasked.length > 0) problems.push(`completed without the model: turns ${unasked.join(", ")}`);
  const forgotten = findForgotten(completed, reports, requests);
  if (forgotten.length > 0) problems.push(`completed and then not in their thread: ${forgotten.join(", ")}`);
  for (const { turn, end, detail, abort } of reports) {
    if (end === "failed" || end === "wrong answer") problems.push(`turn ${turn}: ${end}, ${detail}`);
    if (end === "aborted" && !abort) problems.push(`turn ${turn} was aborted by nobody`);
  }
  return {
    lost: new Set([...missing, ...unasked, ...forgotten]).size,
    doubled: new Set([...doubled, ...repeated]).size,
    problems,
  };
}

/** Completed turns that a later request of their thread does not have. */
function findForgotten(
  completed: readonly TurnReport[],
  reports: readonly TurnReport[],
  requests: readonly ModelRequest[],
): number[] {
  const threadOf = new Map(reports.map(({ turn, threadId }) => [turn, threadId]));
  const forgotten = new Set<number>();
  for (const request of requests) {
    const [newest] = readNewest(request);
    if (newest === undefined) continue;
    const threadId = threadOf.get(newest.turn);
    if (threadId == null) continue;
    const known = new Set(readTurns(request));
    for (const earlier of completed) {
      // Turns of one thread run one after the other, and their numbers rise.
      if (earlier.threadId !== threadId || earlier.turn >= newest.turn) continue;
      if (!known.has(earlier.turn)) forgotten.add(earlier.turn);
    }
  }
  return [...forgotten];
}

function findRepeated(request: ModelRequest): number[] {
  const turns = readTurns(request);
  return turns.filter((turn, index) => turns.indexOf(turn) !== index);
}

function readTurns({ prompts }: ModelRequest): number[] {
  return prompts.flatMap((text) => parsePrompt(text)?.turn ?? []);
}

function readNewest({ prompts }: ModelRequest): { turn: number }[] {
  const parsed = parsePrompt(prompts.at(-1) ?? "");
  return parsed === undefined ? [] : [parsed];
}

/** The first and the last quarter of the looks; for fewer than eight, halves. */
export function splitQuarters(rests: readonly RestReport[]): { first: RestReport[]; last: RestReport[] } {
  const size = rests.length < 8 ? Math.floor(rests.length / 2) : Math.floor(rests.length / 4);
  return { first: rests.slice(0, size), last: size === 0 ? [] : rests.slice(-size) };
}

/** Growth past what noise does: a descriptor or two come and go with the engine. */
const allowed = {
  heapKib: { label: "heap", factor: 1.15, more: 1024 },
  rssKib: { label: "resident memory", factor: 1.25, more: 8 * 1024 },
  descriptors: { label: "descriptors", factor: 1, more: 4 },
} as const;

export function judgeGrowth(rests: readonly RestReport[]): string[] {
  const { first, last } = splitQuarters(rests);
  if (first.length === 0) return ["too few turns to tell growth"];
  return (Object.keys(allowed) as (keyof typeof allowed)[]).flatMap((name) => {
    const [before, after] = [first, last].map((part) => median(part.map((rest) => rest[name])));
    const { label, factor, more } = allowed[name];
    if (after! <= before! * factor + more) return [];
    return [`${label} grew from ${Math.round(before!)} to ${Math.round(after!)}`];
  });
}
