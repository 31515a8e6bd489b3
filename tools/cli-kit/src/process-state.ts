import { readFileSync } from "node:fs";

/** Whether the process still runs. On Linux a zombie that no init has reaped yet counts as ended. */
export function isProcessAlive(pid: number): boolean {
  if (process.platform === "linux") {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch (error) {
      return !isGone(error);
    }
  }
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * When the process started, in clock ticks since the machine did: tells it from a later one with the same
 * pid. Undefined where that cannot be said: on other systems than Linux, and for a process that is gone.
 */
export function readProcessStart(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name and may hold anything; the 22nd is the start.
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(afterName[22 - 3]);
  } catch {
    return undefined;
  }
}

/** Any other error, such as too many open files, says nothing about the process. */
function isGone(error: unknown): boolean {
  return ["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "");
}
