import { kernelProbes } from "../rows/kernel.ts";
import { isHeldResult, type Results } from "./results.ts";

/** What a run has seen, apart from what it has kept of earlier ones. */
export interface Judgement {
  /** Rows that were run now, and held. */
  held: number;
  /** Rows of other groups, with the results of an earlier run. */
  kept: number;
  /** Of those that were run now: what is not held, one line each. */
  leaks: string[];
}

/** @param only the group that was run; undefined for all */
export function judgeRun(results: Results, only: string | undefined): Judgement {
  const rows = listRows(results);
  const run = rows.filter(({ name }) => only === undefined || name.startsWith(`${only}/`));
  const leaks = run.filter(({ isHeld }) => !isHeld).map(({ name, seen }) => `${name}: ${seen}`);
  return { held: run.length - leaks.length, kept: rows.length - run.length, leaks };
}

interface Row {
  /** Group and id. */
  name: string;
  isHeld: boolean;
  /** As JSON. */
  seen: string;
}

function listRows({ runner, kernel }: Results): Row[] {
  const own = Object.entries(runner).map(([name, { ours }]) => ({
    name,
    isHeld: isHeldResult(ours),
    seen: JSON.stringify(ours),
  }));
  const attemptsById = new Map(kernelProbes.map(({ id, attempts }) => [id, attempts.length]));
  const native = Object.entries(kernel).map(([id, result]) => ({
    name: `kernel/${id}`,
    isHeld: result.denied + result.killed === attemptsById.get(id),
    seen: JSON.stringify(result),
  }));
  return [...own, ...native];
}
