import { readFileSync } from "node:fs";

/** Most memory that a process ever had, in KiB; undefined where it is gone, or the system does not tell. */
export function readPeakKib(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const peak = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}

/** The largest of those that are known. */
export function findPeak(...peaksKib: readonly (number | undefined)[]): number | undefined {
  const known = peaksKib.filter((peak) => peak !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
