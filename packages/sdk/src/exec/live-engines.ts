import { signalProcess } from "../process-tree.ts";

/** A process that must not outlive this one. */
export interface LiveEngine {
  pid: number;
  /** What asks it to end: SIGINT makes a running turn end its tools too. */
  signal: NodeJS.Signals;
}

const live = new Set<LiveEngine>();

/** Sees to it that `engine` is asked to end if this process exits first. */
export function registerEngine(engine: LiveEngine): void {
  if (live.size === 0) process.on("exit", signalAll);
  live.add(engine);
}

export function unregisterEngine(engine: LiveEngine): void {
  live.delete(engine);
  if (live.size === 0) process.off("exit", signalAll);
}

function signalAll(): void {
  for (const { pid, signal } of live) signalProcess(pid, signal);
}
