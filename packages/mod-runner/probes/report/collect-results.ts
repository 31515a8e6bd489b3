import { type KernelAttempt, runKernelProbe } from "../kernel/run-kernel-probe.ts";
import type { HostProbe, LineProbe, ModProbe } from "../probe.ts";
import { kernelProbes } from "../rows/kernel.ts";
import { runProbe } from "../run/run-probe.ts";
import type { Side } from "../run/side.ts";
import { runnerProbes } from "../table.ts";
import { type KernelResult, type ProbeResult, type Results, toSideResult } from "./results.ts";

export interface CollectOptions {
  /** Undefined where none of their groups is run. */
  sides: Sides | undefined;
  /** Undefined where the kernel's rows are not run. */
  kernelProbe: string | undefined;
  /** A group, or none for all. */
  only: string | undefined;
  /** What is kept of groups that are not run. */
  previous: Results | undefined;
  /** Called before each row. */
  onRow(name: string): void;
}

interface Sides {
  ours: Side;
  node: Side;
}

/** Runs the rows that are wanted on both sides. */
export async function collectResults(options: CollectOptions): Promise<Results> {
  const { only, previous, sides, kernelProbe } = options;
  const runner: Record<string, ProbeResult> = {};
  for (const [group, probes] of Object.entries(runnerProbes)) {
    if (sides === undefined || (only !== undefined && only !== group)) {
      Object.assign(runner, pickGroup(previous, group));
      continue;
    }
    for (const probe of probes) {
      options.onRow(`${group}/${probe.id}`);
      runner[`${group}/${probe.id}`] = await compareSides(probe, sides);
    }
  }
  if (kernelProbe !== undefined) options.onRow("kernel");
  const kernel = kernelProbe === undefined ? (previous?.kernel ?? {}) : await collectKernel(kernelProbe);
  return { version: 1, nodeVersion: process.version, runner, kernel };
}

function pickGroup(previous: Results | undefined, group: string): Record<string, ProbeResult> {
  const entries = Object.entries(previous?.runner ?? {});
  return Object.fromEntries(entries.filter(([name]) => name.startsWith(`${group}/`)));
}

async function compareSides(
  probe: ModProbe | HostProbe | LineProbe,
  { ours, node }: Sides,
): Promise<ProbeResult> {
  const result: ProbeResult = { ours: toSideResult(await runProbe(probe, ours), probe.expect) };
  if (probe.notOnNode === undefined) result.node = toSideResult(await runProbe(probe, node), probe.expect);
  return result;
}

async function collectKernel(program: string): Promise<Record<string, KernelResult>> {
  const inside = await runKernelProbe(program);
  const outside = await runKernelProbe(program, ["--baseline"]);
  const entries = kernelProbes.map(({ id, attempts }) => {
    const count = (all: Map<string, KernelAttempt>, outcome: string) =>
      attempts.filter((name) => all.get(name)?.outcome === outcome).length;
    const result: KernelResult = {
      denied: count(inside, "denied"),
      killed: count(inside, "killed"),
      worksOutside: count(outside, "allowed"),
    };
    return [id, result] as const;
  });
  return Object.fromEntries(entries);
}
