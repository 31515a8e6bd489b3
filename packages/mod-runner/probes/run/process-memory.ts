import { readMemory } from "../../src/runner/memory.ts";

/** Most memory that a process ever had, in KiB; undefined where it is gone, or the system does not tell. */
export function readPeakKib(pid: number): number | undefined {
  const memory = readMemory(pid);
  return memory === undefined ? undefined : memory.peakRssBytes / 1024;
}

/** The largest of those that are known. */
export function findPeak(...peaksKib: readonly (number | undefined)[]): number | undefined {
  const known = peaksKib.filter((peak) => peak !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
