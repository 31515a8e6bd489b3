import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses } from "../processes/process-tree.ts";
import type { Random } from "../statistics/random.ts";

export interface Kill {
  event: "kill";
  /** Milliseconds since the soak began. */
  atMs: number;
  pid: number;
  /** Turns that had been reported. */
  turns: number;
}

export interface Killer {
  /** To be told of every turn that ended: after some of them it kills the engine, at a random moment. */
  noteTurn(turns: number): void;
  readonly kills: readonly Kill[];
  /** Resolves when no kill is on its way. */
  stop(): Promise<void>;
}

export interface KillerOptions {
  /** Of the program whose engine it kills. */
  hostPid: number;
  random: Random;
  /** Turns between two kills, on average. */
  everyTurns: number;
  startedAt: number;
}

/** Kills engines by SIGKILL. Only the program's own children of the engine's name are engines. */
export function createKiller({ hostPid, random, everyTurns, startedAt }: KillerOptions): Killer {
  const kills: Kill[] = [];
  const draw = () => Math.ceil(everyTurns * (0.5 + random()));
  let next = draw();
  let running = Promise.resolve();
  const kill = async (turns: number): Promise<void> => {
    await sleep(random() * 80);
    for (const { pid, name, parentPid, zombie } of listProcesses()) {
      if (parentPid !== hostPid || zombie || !name.startsWith("codex")) continue;
      try {
        process.kill(pid, "SIGKILL");
        kills.push({ event: "kill", atMs: performance.now() - startedAt, pid, turns });
      } catch {
        // It has just ended.
      }
    }
  };
  return {
    kills,
    noteTurn: (turns) => {
      if (turns < next) return;
      next = turns + draw();
      running = running.then(() => kill(turns));
    },
    stop: () => {
      next = Number.POSITIVE_INFINITY;
      return running;
    },
  };
}
