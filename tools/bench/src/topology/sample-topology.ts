import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { type ProcessSample, sampleProcess } from "../processes/process-sample.ts";
import { findByEnvironment, findDescendants, listProcesses } from "../processes/process-tree.ts";
import type { RunningTopology } from "./start-topology.ts";
import type { TopologySample } from "./types.ts";

export interface SamplingOptions {
  settleMs: number;
  sampleMs: number;
  intervalMs: number;
  /** `CODEX_HOME=/…`: what every process of the topology has in its environment. */
  environmentLine: string;
  signal: AbortSignal;
}

/** Waits, then looks at every process each interval: once at the start of the window, once at its end, and between. */
export async function sampleTopology(
  topology: RunningTopology,
  options: SamplingOptions,
): Promise<TopologySample[]> {
  const { settleMs, sampleMs, intervalMs, signal } = options;
  await sleep(settleMs, undefined, { signal });
  const start = performance.now();
  const samples: TopologySample[] = [];
  const count = Math.max(1, Math.round(sampleMs / intervalMs));
  for (let index = 0; index <= count; index++) {
    const due = start + index * intervalMs;
    await sleep(Math.max(0, due - performance.now()), undefined, { signal });
    samples.push({ atMs: performance.now() - start, ...lookAt(topology, options.environmentLine) });
  }
  return samples;
}

function lookAt(topology: RunningTopology, environmentLine: string): Omit<TopologySample, "atMs"> {
  const all = listProcesses();
  const serverPids = topology.servers.map(({ pid }) => pid);
  const tuiPids = topology.tuis.map(({ pid }) => pid);
  const trees = findDescendants([...serverPids, ...tuiPids], all);
  const known = new Set([...trees.values()].flat().map(({ pid }) => pid));
  const sampleAll = (pids: readonly number[]) =>
    pids.flatMap((pid) => {
      const tree = trees.get(pid) ?? [];
      if (!tree.some((entry) => entry.pid === pid)) throw lost(pid);
      return tree.map(sampleProcess).filter((sample): sample is ProcessSample => sample !== undefined);
    });
  // A process that has left its tree (a daemon) serves: it is counted, not lost.
  const strays = findByEnvironment(environmentLine, all).filter(({ pid }) => !known.has(pid));
  const straySamples = strays.map(sampleProcess).filter((sample) => sample !== undefined);
  return { servers: [...sampleAll(serverPids), ...straySamples], tuis: sampleAll(tuiPids) };
}

function lost(pid: number): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_PROCESS_LOST",
    message: `process ${pid} of the topology ended while it was measured`,
    exitCode: exitCodes.external,
  });
}
