import { readFileSync } from "node:fs";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { MetricInfo, Sample } from "../document/types.ts";
import { type MemoryKib, parseSmapsRollup } from "../processes/proc-text.ts";

export const memoryMetrics: Record<string, MetricInfo> = {
  privateDirtyKib: { label: "private memory, written", unit: "KiB" },
  pssKib: { label: "PSS", unit: "KiB" },
  rssKib: { label: "RSS", unit: "KiB" },
};

/**
 * Memory of the processes together, by metric.
 * @throws ToolError CODEX_JS_BENCH_MEMORY_UNREADABLE (usage) for a runner that hides it from everybody but root
 */
export function readMemory(pids: readonly number[]): Record<string, number> {
  const all = pids.map(readOne);
  const sum = (read: (one: MemoryKib) => number) => all.reduce((total, one) => total + read(one), 0);
  return {
    privateDirtyKib: sum(({ privateDirty }) => privateDirty),
    pssKib: sum(({ pss }) => pss),
    rssKib: sum(({ rss }) => rss),
  };
}

/** A sample for each metric. */
export function sampleMemory(pids: readonly number[], place: Omit<Sample, "metric" | "value">): Sample[] {
  return Object.entries(readMemory(pids)).map(([metric, value]) => ({ ...place, metric, value }));
}

function readOne(pid: number): MemoryKib {
  const file = `/proc/${pid}/smaps_rollup`;
  try {
    return parseSmapsRollup(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_BENCH_MEMORY_UNREADABLE",
      message: `${file} cannot be read`,
      hint: "a sandboxed runner shows its memory to root alone: run as root, or with --sandbox off, or leave --parts memory load out",
      exitCode: exitCodes.usage,
      cause,
    });
  }
}
