import type { MetricInfo } from "../../document/types.ts";
import { alternate } from "../../order.ts";
import { numberOption } from "../../scenario.ts";
import { quantile } from "../../statistics/quantile.ts";
import { benchMods } from "../bench-mods.ts";
import { driveLoad, type PoolMember } from "../load-pool.ts";
import { memoryMetrics, sampleMemory } from "../memory.ts";
import { waitUntilQuiet } from "../quiet.ts";
import type { RunnerSide } from "../sides.ts";
import { type Part, type PartContext, start } from "./part.ts";

const quantiles = { loadP50Ms: 0.5, loadP95Ms: 0.95, loadP99Ms: 0.99 };

const metrics: Record<string, MetricInfo> = {
  loadTotalMs: { label: "steady load, all callbacks", unit: "ms" },
  loadP50Ms: { label: "steady load, a callback's p50", unit: "ms" },
  loadP95Ms: { label: "steady load, a callback's p95", unit: "ms" },
  loadP99Ms: { label: "steady load, a callback's p99", unit: "ms" },
  ...memoryMetrics,
};

/** Many callbacks over a pool that is always busy, and its memory at the end. */
export const loadPart: Part = {
  name: "load",
  metrics,
  readsMemory: true,
  async measure(part) {
    const { context, sides } = part;
    const blocks = numberOption(context, "loadBlocks");
    for (let block = 0; block < blocks; block++) {
      const step = context.progress.start(`load, block ${block + 1} of ${blocks}`);
      for (const side of alternate(sides, block)) {
        step.update(side.name);
        await measureLoad(part, side, block);
      }
      step.succeed();
    }
  },
};

async function measureLoad(part: PartContext, side: RunnerSide, block: number): Promise<void> {
  const { context, samples, raw } = part;
  const count = numberOption(context, "callbacks");
  const size = numberOption(context, "pool");
  await using all = new AsyncDisposableStack();
  const members: PoolMember[] = [];
  while (members.length < size) {
    const mod = benchMods[members.length % benchMods.length]!;
    members.push({ runner: all.use(await start(part, side)), mod });
  }
  const { totalMs, elapsedMs } = await driveLoad(side, members, count, context.signal);
  const place = { group: `pool of ${size}, ${count} callbacks`, side: side.name, block };
  samples.push({ ...place, metric: "loadTotalMs", value: totalMs });
  for (const [metric, at] of Object.entries(quantiles)) {
    samples.push({ ...place, metric, value: quantile(elapsedMs, at) });
  }
  const pids = members.map(({ runner }) => runner.pid);
  for (const pid of pids) await waitUntilQuiet(pid, numberOption(context, "quietMs"), context.signal);
  samples.push(...sampleMemory(pids, { ...place, group: `pool of ${size}, after the load` }));
  raw.push({ part: "load", block, side: side.name, totalMs, elapsedMs });
}
