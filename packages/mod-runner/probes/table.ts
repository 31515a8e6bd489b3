import type { Group, HostProbe, LineProbe, ModProbe } from "./probe.ts";
import { cpuProbes } from "./rows/cpu.ts";
import { memoryProbes } from "./rows/memory.ts";
import { moduleProbes } from "./rows/modules.ts";
import { protocolProbes } from "./rows/protocol.ts";
import { realmProbes } from "./rows/realm.ts";
import { resultProbes } from "./rows/results.ts";

/** Everything that is tried but what the kernel has to hold, by group. */
export const runnerProbes: Record<Exclude<Group, "kernel">, readonly (ModProbe | HostProbe | LineProbe)[]> = {
  realm: realmProbes,
  results: resultProbes,
  cpu: cpuProbes,
  memory: memoryProbes,
  modules: moduleProbes,
  protocol: protocolProbes,
};
