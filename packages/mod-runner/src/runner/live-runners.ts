import { killGroup } from "./start-process.ts";

const live = new Set<number>();

/** Sees to it that the runner ends with this process, whatever it is doing then. */
export function registerRunner(pid: number): void {
  if (live.size === 0) process.on("exit", killAll);
  live.add(pid);
}

export function unregisterRunner(pid: number): void {
  live.delete(pid);
  if (live.size === 0) process.off("exit", killAll);
}

function killAll(): void {
  for (const pid of live) killGroup(pid);
}
