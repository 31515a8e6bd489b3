import { readdirSync } from "node:fs";
import {
  type MemoryKib,
  parseIo,
  parseSmapsRollup,
  parseStat,
  parseSwitches,
  type Switches,
} from "./proc-text.ts";
import { type ProcessEntry, readProcFile } from "./process-tree.ts";

/** One look at one process. */
export interface ProcessSample {
  pid: number;
  name: string;
  memory: MemoryKib;
  threads: number;
  descriptors: number;
  cpuTicks: number;
  reads: number;
  writes: number;
  /** By thread: the kernel keeps these counts for each thread and drops them when it ends. */
  switches: ReadonlyMap<number, Switches>;
}

/** Undefined when the process ended while it was looked at. */
export function sampleProcess({ pid, name }: ProcessEntry): ProcessSample | undefined {
  const dir = `/proc/${pid}`;
  const [smaps, stat, io] = ["smaps_rollup", "stat", "io"].map((file) => readProcFile(`${dir}/${file}`));
  const descriptors = listFolder(`${dir}/fd`);
  const threads = listFolder(`${dir}/task`);
  if (!smaps || !stat || !io || descriptors === undefined || threads === undefined) return undefined;
  const calls = parseIo(io);
  return {
    pid,
    name,
    memory: parseSmapsRollup(smaps),
    threads: threads.length,
    descriptors: descriptors.length,
    cpuTicks: parseStat(stat).cpuTicks,
    reads: calls.reads,
    writes: calls.writes,
    switches: sampleThreads(dir, threads),
  };
}

function sampleThreads(dir: string, threads: readonly string[]): Map<number, Switches> {
  const entries = threads.flatMap((thread): [number, Switches][] => {
    const text = readProcFile(`${dir}/task/${thread}/status`);
    return text === undefined ? [] : [[Number(thread), parseSwitches(text)]];
  });
  return new Map(entries);
}

function listFolder(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}
