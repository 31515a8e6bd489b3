import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { readProcFile } from "../processes/process-tree.ts";

/** Long enough to prepare the next context, as a runner has between two callbacks of a person's session. */
export const betweenCallbacksMs = 9;

/** A runner that has had nothing to do for a second gives back what its work has left; a while more for that. */
export const restingMs = 1_500;

const looksPerWait = 3;
const patienceMs = 30_000;

/**
 * Waits until no thread of the process has run for `quietMs`: the next context is prepared, the collector is
 * done.
 * @throws ToolError CODEX_JS_BENCH_NEVER_QUIET (external)
 */
export async function waitUntilQuiet(pid: number, quietMs: number, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  let before: string | undefined;
  for (let equal = 0; equal < looksPerWait; ) {
    const now = readActivity(pid);
    equal = now !== undefined && now === before ? equal + 1 : 0;
    before = now;
    if (performance.now() > giveUpAt) throw neverQuiet(pid);
    await sleep(quietMs / looksPerWait, undefined, { signal });
  }
}

export async function waitUntilAllQuiet(
  pids: readonly number[],
  quietMs: number,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(pids.map((pid) => waitUntilQuiet(pid, quietMs, signal)));
}

/**
 * The processor time of every thread (`schedstat`), as one text. Undefined while one of them runs, or waits
 * for a processor.
 */
function readActivity(pid: number): string | undefined {
  const texts: string[] = [];
  for (const thread of listThreads(pid)) {
    const stat = readProcFile(`/proc/${pid}/task/${thread}/stat`);
    const times = readProcFile(`/proc/${pid}/task/${thread}/schedstat`);
    if (stat === undefined || times === undefined || !isSleeping(stat)) return undefined;
    texts.push(times);
  }
  return texts.length === 0 ? undefined : texts.join();
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended; whoever waits for its next line is told how.
    return [];
  }
}

/** The state is the first field after the name, which stands in brackets. */
function isSleeping(stat: string): boolean {
  return stat.charAt(stat.lastIndexOf(")") + 2) === "S";
}

function neverQuiet(pid: number): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_NEVER_QUIET",
    message: `process ${pid} was busy, or had ended, for ${patienceMs / 1000} s after its last answer`,
    exitCode: exitCodes.external,
  });
}
