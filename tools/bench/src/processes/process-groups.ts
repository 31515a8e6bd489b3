import { setTimeout as sleep } from "node:timers/promises";

const living = new Set<number>();
const termGraceMs = 5000;

/**
 * Remembers that the group of `pid` must not outlive this process, whatever ends it short of SIGKILL: a
 * second Ctrl-C exits at once, without any clean-up of the command itself.
 */
export function keepGroup(pid: number): () => void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(pid);
  return () => {
    living.delete(pid);
    if (living.size === 0) process.off("exit", killAll);
  };
}

/** Ends the group that `pid` leads: TERM, and KILL when the leader does not end in time; then KILL for what is left. */
export async function killGroup(pid: number, ended: Promise<unknown>): Promise<void> {
  signalGroup(pid, "SIGTERM");
  const grace = new AbortController();
  const timeout = sleep(termGraceMs, undefined, { signal: grace.signal }).catch(() => {});
  await Promise.race([ended, timeout]);
  grace.abort();
  signalGroup(pid, "SIGKILL");
  await ended;
}

function killAll(): void {
  for (const pid of living) signalGroup(pid, "SIGKILL");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty: what it was to end has ended.
  }
}
