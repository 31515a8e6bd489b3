import type { MetricInfo } from "../../document/types.ts";
import { alternate } from "../../order.ts";
import { numberOption, textOption } from "../../scenario.ts";
import { quantile } from "../../statistics/quantile.ts";
import { benchMods } from "../bench-mods.ts";
import { driveLoad } from "../drive-load.ts";
import { memoryMetrics, sampleMemory } from "../memory.ts";
import { restingMs, waitUntilAllQuiet } from "../quiet.ts";
import type { RunnerSide } from "../sides.ts";
import type { Part, PartContext } from "./part.ts";

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
  const callbacks = numberOption(context, "callbacks");
  const callers = numberOption(context, "callers");
  const { root, signal } = context;
  const sandbox = textOption(context, "sandbox");
  const place = { group: `${callers} callers, ${callbacks} callbacks`, side: side.name, block };
  const options = { root, sandbox, mods: benchMods, callers, callbacks, signal };
  const report = await driveLoad(side, options, async (pids) => {
    const end = `${callers} callers, the pool at the end`;
    await waitUntilAllQuiet(pids, numberOption(context, "quietMs"), signal);
    samples.push(...sampleMemory(pids, { ...place, group: end }));
    await waitUntilAllQuiet(pids, restingMs, signal);
    samples.push(...sampleMemory(pids, { ...place, group: `${end}, at rest` }));
    raw.push({ part: "load", block, side: side.name, processes: pids.length });
  });
  samples.push({ ...place, metric: "loadTotalMs", value: report.totalMs });
  for (const [metric, at] of Object.entries(quantiles)) {
    samples.push({ ...place, metric, value: quantile(report.elapsedMs, at) });
  }
  raw.push({ part: "load", block, side: side.name, ...report });
}
