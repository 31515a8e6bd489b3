import { pathToFileURL } from "node:url";
import { findBuilt } from "../find-built.ts";
import type { BenchMod } from "./bench-mods.ts";
import { benchOperations, type HostOperations } from "./host-operations.ts";
import type { RunnerSide } from "./sides.ts";

/** What the benchmark uses of `@codex-js/mod-runner`, as it is built. */
interface HostLibrary {
  createModHost(options: {
    runnerPath: string;
    sandbox?: string;
    grants: string[];
    operations: HostOperations;
    limits: { budgetMs: number };
    pool: { warm: number; runners: number };
    onEvent(event: { type: string; pid?: number }): void;
  }): Host;
}

interface Host extends AsyncDisposable {
  load(folder: string): Promise<LoadedMod>;
}

interface LoadedMod {
  run(
    hook: string,
    input: unknown,
    options: { signal: AbortSignal },
  ): Promise<{ stats: { runner: "warm" | "spare" | "started" } }>;
}

export interface LoadOptions {
  /** Absolute, the repository. */
  root: string;
  sandbox: string;
  mods: readonly BenchMod[];
  callers: number;
  callbacks: number;
  signal: AbortSignal;
}

export interface LoadReport {
  totalMs: number;
  /** One for each callback, in the order of the answers. */
  elapsedMs: number[];
  /** How many callbacks ran on a runner that was warm, spare, or started for them. */
  runners: Record<string, number>;
  /** How many pools there were, one after the other. */
  pools: number;
}

/** Where the host library's build leaves it. */
const hostModule = "packages/mod-runner/dist/index.js";
const budgetMs = 30_000;
/** Spares beside those that are busy. */
const extraRunners = 4;

/**
 * Steady load through the host library and its pool: each caller asks for its next callback once it has the
 * last one's result, until there were enough. Where a side's processes have to be replaced, the pool is made
 * anew, within the time that is measured.
 * @param use called while the last pool is still there, with the processes that it has
 * @throws ToolError CODEX_JS_BENCH_NOT_BUILT (usage); a ModError of the library's
 */
export async function driveLoad(
  side: RunnerSide,
  options: LoadOptions,
  use: (pids: number[]) => Promise<void>,
): Promise<LoadReport> {
  const file = findBuilt(options.root, hostModule);
  const library = (await import(pathToFileURL(file).href)) as HostLibrary;
  const report: LoadReport = { totalMs: 0, elapsedMs: [], runners: {}, pools: 0 };
  const perPool = (side.lifeCallbacks ?? Number.POSITIVE_INFINITY) * options.callers;
  while (report.elapsedMs.length < options.callbacks) {
    const startedAt = performance.now();
    const pids = new Set<number>();
    await using host = createHost(library, side, options, pids);
    await callInTurn(host, options, report, perPool);
    report.totalMs += performance.now() - startedAt;
    report.pools++;
    if (report.elapsedMs.length === options.callbacks) await use([...pids]);
  }
  return report;
}

function createHost(
  library: HostLibrary,
  side: RunnerSide,
  { sandbox, callers }: LoadOptions,
  pids: Set<number>,
): Host {
  return library.createModHost({
    runnerPath: side.program,
    ...(sandbox === "" ? {} : { sandbox }),
    grants: Object.keys(benchOperations),
    operations: benchOperations,
    limits: { budgetMs },
    pool: { warm: callers, runners: callers + extraRunners },
    onEvent({ type, pid }) {
      if (type === "runner-started") pids.add(pid!);
      if (type === "runner-ended") pids.delete(pid!);
    },
  });
}

/** Adds to `report`, up to `most` callbacks and as many as `callbacks` in all. */
async function callInTurn(
  host: Host,
  { mods, callers, callbacks, signal }: LoadOptions,
  { elapsedMs, runners }: LoadReport,
  most: number,
): Promise<void> {
  const loaded = await Promise.all(mods.map((mod) => host.load(mod.folder)));
  let left = Math.min(most, callbacks - elapsedMs.length);
  const call = async (caller: number) => {
    const at = caller % mods.length;
    const { hook, input } = mods[at]!;
    while (left > 0) {
      left--;
      const startedAt = performance.now();
      const { stats } = await loaded[at]!.run(hook, input, { signal });
      elapsedMs.push(performance.now() - startedAt);
      runners[stats.runner] = (runners[stats.runner] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
}
