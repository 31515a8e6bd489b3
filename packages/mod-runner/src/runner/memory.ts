import { readFileSync } from "node:fs";
import { readOutput } from "./start-process.ts";

/** Memory of a process in bytes. */
export interface ProcessMemory {
  rssBytes: number;
  peakRssBytes: number;
}

/**
 * Undefined where it cannot be read: on other systems than Linux, and for a process that is gone. A runner
 * has made itself undumpable, which leaves `smaps_rollup` to root; `status` stays everybody's to read.
 */
export function readMemory(pid: number): ProcessMemory | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return parseStatus(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return undefined;
  }
}

/** The kernel counts in KiB there, whatever a page has. */
export function parseStatus(status: string): ProcessMemory | undefined {
  const read = (name: string) => {
    const kib = status.match(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m"))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  };
  const rssBytes = read("VmRSS");
  const peakRssBytes = read("VmHWM");
  return rssBytes === undefined || peakRssBytes === undefined ? undefined : { rssBytes, peakRssBytes };
}

/** For systems without `/proc`. */
export async function readRssWithPs(pid: number): Promise<number | undefined> {
  const kib = Number.parseInt(await readOutput("/bin/ps", ["-o", "rss=", "-p", String(pid)]), 10);
  return Number.isNaN(kib) ? undefined : kib * 1024;
}
