import type { MetricInfo, Sample } from "../document/types.ts";
import type { ProcessSample } from "../processes/process-sample.ts";
import type { Role, TopologyName, TopologySample } from "./types.ts";

export const topologyMetrics: Record<string, MetricInfo> = {
  pssKib: { label: "PSS", unit: "KiB" },
  privateKib: { label: "private memory", unit: "KiB" },
  privateDirtyKib: { label: "private memory, written", unit: "KiB" },
  rssKib: { label: "RSS, shared pages counted often", unit: "KiB" },
  processes: { label: "processes", unit: "" },
  threads: { label: "threads", unit: "" },
  descriptors: { label: "descriptors", unit: "" },
  cpuPercent: { label: "CPU of one core", unit: "%" },
  readCalls: { label: "read system calls", unit: "" },
  writeCalls: { label: "write system calls", unit: "" },
  voluntarySwitches: { label: "voluntary switches", unit: "" },
  involuntarySwitches: { label: "involuntary switches", unit: "" },
};

type Group = Role | "everything";

/**
 * One value for each metric and group. Memory and counts of things are taken at every look; CPU, system
 * calls and switches are what came about between the first look and the last.
 */
export function sumSamples(
  side: TopologyName,
  block: number,
  looks: readonly TopologySample[],
  ticksPerSecond: number,
): Sample[] {
  // A role that no topology process has (the servers of `embedded`) has nothing to sum.
  const groups: Group[] = side === "embedded" ? ["everything", "tuis"] : ["everything", "servers", "tuis"];
  return groups.flatMap((group) => {
    const own = looks.map((look) => ({ atMs: look.atMs, processes: pick(look, group) }));
    const make = (metric: string, value: number): Sample => ({ group, side, metric, block, value });
    const levels = own.flatMap(({ processes }) =>
      Object.entries(sumLevels(processes)).map(([metric, value]) => make(metric, value)),
    );
    const rises = Object.entries(sumRises(own, ticksPerSecond)).map(([metric, value]) => make(metric, value));
    return [...levels, ...rises];
  });
}

function pick({ servers, tuis }: TopologySample, group: Group): ProcessSample[] {
  return { servers, tuis, everything: [...servers, ...tuis] }[group];
}

function sumLevels(processes: readonly ProcessSample[]): Record<string, number> {
  const sum = (read: (process: ProcessSample) => number) =>
    processes.reduce((total, process) => total + read(process), 0);
  return {
    pssKib: sum(({ memory }) => memory.pss),
    privateKib: sum(({ memory }) => memory.private),
    privateDirtyKib: sum(({ memory }) => memory.privateDirty),
    rssKib: sum(({ memory }) => memory.rss),
    processes: processes.length,
    threads: sum(({ threads }) => threads),
    descriptors: sum(({ descriptors }) => descriptors),
  };
}

interface Look {
  atMs: number;
  processes: ProcessSample[];
}

function sumRises(looks: readonly Look[], ticksPerSecond: number): Record<string, number> {
  const rise = (read: (process: ProcessSample) => ReadonlyMap<string, number>) =>
    sumCounterRises(looks.map((look) => mergeCounters(look.processes, read)));
  const one = (read: (process: ProcessSample) => number) => rise((process) => new Map([["", read(process)]]));
  const threads = (name: "voluntary" | "involuntary") =>
    rise(({ switches }) => new Map([...switches].map(([thread, counts]) => [String(thread), counts[name]])));
  const seconds = (looks.at(-1)!.atMs - looks[0]!.atMs) / 1000;
  return {
    cpuPercent: (one(({ cpuTicks }) => cpuTicks) / ticksPerSecond / seconds) * 100,
    readCalls: one(({ reads }) => reads),
    writeCalls: one(({ writes }) => writes),
    voluntarySwitches: threads("voluntary"),
    involuntarySwitches: threads("involuntary"),
  };
}

function mergeCounters(
  processes: readonly ProcessSample[],
  read: (process: ProcessSample) => ReadonlyMap<string, number>,
): Map<string, number> {
  return new Map(
    processes.flatMap((process) =>
      [...read(process)].map(([key, value]): [string, number] => [`${process.pid}/${key}`, value]),
    ),
  );
}

/**
 * How much the counters grew from look to look. One that is new since the last look counts in full; what one
 * had after the last look before it went is lost, at most one interval of one thread.
 */
export function sumCounterRises(looks: readonly ReadonlyMap<string, number>[]): number {
  let total = 0;
  for (const [index, look] of looks.entries()) {
    if (index === 0) continue;
    const before = looks[index - 1]!;
    for (const [key, value] of look) total += value - (before.get(key) ?? 0);
  }
  return total;
}
