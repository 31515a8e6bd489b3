import { askCallback, type BenchMod } from "./bench-mods.ts";
import { expectAnswer } from "./expect-answer.ts";
import type { RunnerClient } from "./runner-client.ts";
import type { RunnerSide } from "./sides.ts";

/** One runner of the pool, and the mod that it serves. */
export interface PoolMember {
  runner: RunnerClient;
  mod: BenchMod;
}

export interface LoadReport {
  totalMs: number;
  /** One for each callback, in the order of the answers. */
  elapsedMs: number[];
}

/** Steady load: every runner gets its next callback with its answer to the last, until there were `count`. */
export async function driveLoad(
  side: RunnerSide,
  members: readonly PoolMember[],
  count: number,
  signal: AbortSignal,
): Promise<LoadReport> {
  const elapsedMs: number[] = [];
  let left = count;
  const drive = async ({ runner, mod }: PoolMember) => {
    for (let isKnown = false; left > 0; isKnown = true) {
      left--;
      signal.throwIfAborted();
      elapsedMs.push(expectAnswer(side, await runner.ask(askCallback(mod, { isKnown }))).elapsedMs);
    }
  };
  const startedAt = performance.now();
  await Promise.all(members.map(drive));
  return { totalMs: performance.now() - startedAt, elapsedMs };
}
