import type { BenchDocument } from "./document/types.ts";
import { readLoad, readMachine } from "./machine.ts";
import type { Scenario, ScenarioContext } from "./scenario.ts";
import { defaultBootstrap } from "./statistics/bootstrap.ts";
import { summariseComparisons, summariseSeries } from "./statistics/summarise.ts";
import { readVersions } from "./versions.ts";

/** Runs it and makes the document: every raw sample, and what they were taken on. */
export async function runScenario(scenario: Scenario, context: ScenarioContext): Promise<BenchDocument> {
  const versions = await readVersions(context);
  const startedAt = context.now().toISOString();
  const loadBefore = readLoad();
  const { metrics, comparisons, samples, notes, raw, ...findings } = await scenario.run(context);
  context.signal.throwIfAborted();
  const bootstrap = { ...defaultBootstrap, seed: context.seed };
  return {
    version: 1,
    scenario: scenario.name,
    title: scenario.title,
    short: context.short,
    startedAt,
    finishedAt: context.now().toISOString(),
    machine: { ...readMachine(), loadBefore, loadAfter: readLoad() },
    versions,
    options: { ...context.options, seed: context.seed },
    bootstrap,
    metrics,
    comparisons: summariseComparisons(samples, comparisons, bootstrap),
    series: summariseSeries(samples, bootstrap),
    notes,
    samples,
    raw,
    ...findings,
  };
}
