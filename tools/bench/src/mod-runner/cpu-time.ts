import { readdirSync } from "node:fs";
import { readProcFile } from "../processes/process-tree.ts";

/** Processor time of all threads of a process that are there, in milliseconds; the kernel counts nanoseconds. */
export function readCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    parseRunTime(readProcFile(`/proc/${pid}/task/${thread}/schedstat`) ?? "0"),
  );
  return nanoseconds.reduce((sum, own) => sum + own, 0) / 1e6;
}

/** The first of three numbers: time on a processor; then waiting for one, then how often it got one. */
export function parseRunTime(schedstat: string): number {
  return Number(schedstat.trim().split(" ")[0]);
}
