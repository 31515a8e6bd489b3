import { randomBytes } from "node:crypto";
import type { MetricInfo } from "../../document/types.ts";
import { alternate } from "../../order.ts";
import { numberOption } from "../../scenario.ts";
import {
  askCallback,
  askLoad,
  askRender,
  type BenchMod,
  benchMods,
  render,
  renderSizes,
} from "../bench-mods.ts";
import { readCpuMs } from "../cpu-time.ts";
import { expectAnswer } from "../expect-answer.ts";
import { betweenCallbacksMs, waitUntilQuiet } from "../quiet.ts";
import type { RunnerClient } from "../runner-client.ts";
import type { RunnerSide } from "../sides.ts";
import { type Part, type PartContext, start } from "./part.ts";

const metrics: Record<string, MetricInfo> = {
  startMs: { label: "spawn → ready", unit: "ms" },
  readyMs: { label: "spawn → ready, without the host's own part of it", unit: "ms" },
  freshCallbackMs: { label: "first callback of a process", unit: "ms" },
  cachedCallbackMs: { label: "first callback of a process, with code caches", unit: "ms" },
  reusedCallbackMs: { label: "later callback, in a fresh context", unit: "ms" },
  loadMs: { label: "serve mode: load, after a callback", unit: "ms" },
  renderMs: { label: "serve mode: render", unit: "ms" },
  startCpuMs: { label: "processor time of a start, first context included", unit: "ms" },
  freshCpuMs: { label: "processor time of a first callback, next context included", unit: "ms" },
  reusedCpuMs: { label: "processor time of a later callback, next context included", unit: "ms" },
};

/** How long things take: one process after the other, the sides in turn. */
export const turnsPart: Part = {
  name: "turns",
  metrics,
  readsMemory: false,
  async measure(part) {
    const { context, sides } = part;
    const blocks = numberOption(context, "blocks");
    const caches = await makeCaches(part);
    for (let block = 0; block < blocks; block++) {
      const step = context.progress.start(`turns, block ${block + 1} of ${blocks}`);
      for (const mod of benchMods) {
        for (const side of alternate(sides, block)) {
          step.update(`${mod.name}, ${side.name}`);
          await measureLife(part, side, mod, block);
        }
        for (const side of alternate(sides, block)) await measureCached(part, caches, side, mod, block);
      }
      step.succeed();
    }
  },
};

/** One process from its start: its first callback, later ones, and renders. */
async function measureLife(part: PartContext, side: RunnerSide, mod: BenchMod, block: number): Promise<void> {
  const { context, samples } = part;
  const record = (metric: string, group: string, value: number) =>
    samples.push({ group, side: side.name, metric, block, value });
  await using runner = await start(part, side);
  /** What it has cost up to now, once it has nothing left to do. */
  const settle = async () => {
    await waitUntilQuiet(runner.pid, betweenCallbacksMs, context.signal);
    return readCpuMs(runner.pid);
  };
  record("startMs", "runner", runner.startMs);
  record("readyMs", "runner", runner.readyMs);
  let spentMs = await settle();
  record("startCpuMs", "runner", spentMs);
  const call = async (name: "fresh" | "reused") => {
    const request = askCallback(mod, { isKnown: name === "reused" });
    const { elapsedMs } = expectAnswer(side, await runner.ask(request));
    const before = spentMs;
    spentMs = await settle();
    record(`${name}CallbackMs`, mod.name, elapsedMs);
    record(`${name}CpuMs`, mod.name, spentMs - before);
  };
  await call("fresh");
  for (let index = 0; index < numberOption(context, "reused"); index++) await call("reused");
  if (mod === render) await measureRenders(part, side, runner, record);
}

async function measureRenders(
  { context }: PartContext,
  side: RunnerSide,
  runner: RunnerClient,
  record: (metric: string, group: string, value: number) => void,
): Promise<void> {
  record("loadMs", render.name, expectAnswer(side, await runner.ask(askLoad(render))).elapsedMs);
  for (const lines of renderSizes) {
    for (let index = 0; index < numberOption(context, "renders"); index++) {
      const report = expectAnswer(side, await runner.ask(askRender(render, index, lines)));
      record("renderMs", `${render.name}, ${lines} lines`, report.elapsedMs);
    }
  }
}

interface KeptCaches {
  cacheKey: string;
  /** By side and mod. */
  bySide: Map<string, Map<string, Record<string, string>>>;
}

/** What a host has of every mod that has run before. */
async function makeCaches(part: PartContext): Promise<KeptCaches> {
  const cacheKey = randomBytes(32).toString("hex");
  const bySide: KeptCaches["bySide"] = new Map();
  for (const side of part.sides) {
    const byMod = new Map<string, Record<string, string>>();
    for (const mod of benchMods) {
      await using runner = await start(part, side, cacheKey);
      const report = await runner.ask(askCallback(mod, { wantCaches: true }));
      byMod.set(mod.name, expectAnswer(side, report).caches);
    }
    bySide.set(side.name, byMod);
  }
  return { cacheKey, bySide };
}

async function measureCached(
  part: PartContext,
  { cacheKey, bySide }: KeptCaches,
  side: RunnerSide,
  mod: BenchMod,
  block: number,
): Promise<void> {
  const caches = bySide.get(side.name)?.get(mod.name) ?? {};
  await using runner = await start(part, side, cacheKey);
  await waitUntilQuiet(runner.pid, betweenCallbacksMs, part.context.signal);
  const { elapsedMs } = expectAnswer(side, await runner.ask(askCallback(mod, { caches })));
  const place = { group: mod.name, side: side.name, block };
  part.samples.push({ ...place, metric: "cachedCallbackMs", value: elapsedMs });
}
