import { readFileSync } from "node:fs";

/** Whether the process still runs. On Linux a zombie that no init has reaped yet counts as ended. */
export function isProcessAlive(pid: number): boolean {
  if (process.platform === "linux") {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  }
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
