import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { exitCodes, runProcess, ToolError, withDirectLoopback, withTempDir } from "@codex-js/cli-kit";
import { createCodexHome, type MockModel, startMockModel } from "@codex-js/testkit/mock-model";
import { type OtlpCollector, startOtlpCollector } from "@codex-js/testkit/otlp-collector";
import { createChildEnv } from "../child-env.ts";
import type { ComparisonSpec, MetricInfo, Sample } from "../document/types.ts";
import { findEngine } from "../engine/find-engine.ts";
import { findBuilt, sdkModule } from "../find-built.ts";
import { alternate } from "../order.ts";
import { findByEnvironment, listProcesses } from "../processes/process-tree.ts";
import { type BenchRuntime, provideRuntimes, runtimesOption } from "../runtimes.ts";
import {
  listOption,
  type Measurement,
  numberOption,
  type Scenario,
  type ScenarioContext,
} from "../scenario.ts";
import type { Drive, DriveResult } from "./drive.ts";
import {
  bareSide,
  execSide,
  officialSide,
  oursSide,
  planBlock,
  type TurnsSide,
  turnsSides,
} from "./sides.ts";

/** Telemetry off or on, and what config.toml says of it. */
interface Telemetry {
  name: string;
  home: { dir: string; env: Record<string, string> };
}

/** As slow as the collector of the engine's maker was measured to be. */
const collectorDelayMs = 900;
const driverTimeoutMs = 300_000;
const endingLimitMs = 5000;

export const turnsScenario: Scenario = {
  name: "turns",
  title: "Short turns: one process per turn, or one process kept up",
  description: "short turns on a mock model, process per turn against one engine kept up, on each runtime",
  options: [
    runtimesOption,
    { name: "turns", kind: "number", description: "of one thread", default: 10, short: 4, min: 1 },
    {
      name: "runs",
      kind: "number",
      description: "blocks, each with every side",
      default: 5,
      short: 2,
      min: 1,
    },
    {
      name: "repeats",
      kind: "number",
      description: "of the sides with one process kept up, within a block",
      default: 3,
      short: 2,
      min: 1,
    },
    {
      name: "telemetry",
      kind: "list",
      description: `off, and on: with a metrics collector that answers after ${collectorDelayMs} ms`,
      default: ["off", "on"],
    },
  ],
  run: measureTurns,
};

function measureTurns(context: ScenarioContext): Promise<Measurement> {
  return withTempDir("codex-js-turns", async (dir) => {
    await using model = await startMockModel({ signal: context.signal });
    await using collector = await startOtlpCollector({ delayMs: collectorDelayMs, signal: context.signal });
    const workDir = join(dir, "work");
    await mkdir(workDir);
    const bench: Bench = { context, model, collector, workDir, samples: [], raw: [] };
    const runtimes = await provideRuntimes(context);
    const telemetries = await prepareTelemetries(bench, dir, runtimes[0]!);
    const runs = numberOption(context, "runs");
    for (let block = 0; block < runs; block++) {
      for (const runtime of alternate(runtimes, block)) {
        for (const telemetry of alternate(telemetries, block)) {
          const step = context.progress.start(
            `block ${block + 1} of ${runs}: ${runtime.id}, telemetry ${telemetry.name}`,
          );
          const plan = planBlock(turnsSides, numberOption(context, "repeats"));
          for (const side of alternate(plan, block)) {
            step.update(side.name);
            record(bench, await runSide(bench, runtime, telemetry, side), {
              runtime,
              telemetry,
              side,
              block,
            });
          }
          step.succeed();
        }
      }
    }
    return describeMeasurement(bench, runtimes, telemetries);
  });
}

interface Bench {
  context: ScenarioContext;
  model: MockModel;
  collector: OtlpCollector;
  workDir: string;
  samples: Sample[];
  raw: unknown[];
}

/** One CODEX_HOME each, used once before anything is timed: the engine sets up its files in a fresh one. */
async function prepareTelemetries(bench: Bench, dir: string, runtime: BenchRuntime): Promise<Telemetry[]> {
  const telemetries: Telemetry[] = [];
  for (const name of listOption(bench.context, "telemetry")) {
    const metrics = readMetricsExporter(name, bench.collector);
    const home = await createCodexHome(bench.model, {
      dir: join(dir, `home-${name}`),
      extraToml: `[otel]\nexporter = "none"\nmetrics_exporter = ${metrics}\ntrace_exporter = "none"\n`,
    });
    const telemetry = { name, home };
    const side = turnsSides.find(({ way }) => way === "bare")!;
    await runSide(bench, runtime, telemetry, side, 1);
    telemetries.push(telemetry);
  }
  return telemetries;
}

function readMetricsExporter(name: string, collector: OtlpCollector): string {
  if (name === "on") return collector.exporterToml("metrics");
  if (name === "off") return '"none"';
  throw new ToolError({
    code: "CODEX_JS_BENCH_BAD_OPTION",
    message: `--telemetry is ${JSON.stringify(name)}, expected on or off`,
    exitCode: exitCodes.usage,
  });
}

/** Runs one program from start to end, and holds it to what it should have done. */
async function runSide(
  bench: Bench,
  { executable }: BenchRuntime,
  { name, home }: Telemetry,
  side: TurnsSide,
  turns = numberOption(bench.context, "turns"),
): Promise<DriveResult> {
  const { context, model, collector, workDir } = bench;
  const drive: Drive = {
    way: side.way,
    turns,
    binary: findEngine().binary,
    sdk: pathToFileURL(findBuilt(context.root, sdkModule)).href,
    workDir,
  };
  const asked = model.requests.length;
  const reported = collector.requests.length;
  const { stdout } = await runProcess(
    executable,
    [join(import.meta.dirname, "driver.ts"), JSON.stringify(drive)],
    {
      cwd: workDir,
      env: createChildEnv(withDirectLoopback(context.env), home.env),
      signal: context.signal,
      timeoutMs: driverTimeoutMs,
    },
  );
  if (model.requests.length - asked !== turns) {
    throw failRun(side, `the model was asked ${model.requests.length - asked} times for ${turns} turns`);
  }
  if (name === "on" && collector.requests.length === reported) {
    throw failRun(side, "the collector got nothing, so telemetry was not on");
  }
  const left = await findLeftBehind(home.dir, side.isPersistent ? 0 : endingLimitMs);
  if (left.length > 0) throw failRun(side, `left behind: ${left.join(", ")}`);
  return JSON.parse(stdout) as DriveResult;
}

/**
 * Names of what still runs on this CODEX_HOME after `waitMs`: a `codex exec` that has run one short turn may exit
 * before the shell with which it looks at the user's settings (seen under load). One engine that is closed leaves
 * nothing, at once.
 */
async function findLeftBehind(codexHome: string, waitMs: number): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const find = () => findByEnvironment(`CODEX_HOME=${codexHome}`, listProcesses()).map(({ name }) => name);
  const giveUpAt = performance.now() + waitMs;
  while (find().length > 0 && performance.now() < giveUpAt) await setTimeout(20);
  return find();
}

function failRun(side: TurnsSide, message: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_RUN_INVALID",
    message: `${side.name}: ${message}`,
    exitCode: exitCodes.external,
  });
}

interface Place {
  runtime: BenchRuntime;
  telemetry: Telemetry;
  side: TurnsSide;
  block: number;
}

function record({ samples, raw }: Bench, result: DriveResult, place: Place): void {
  const { runtime, telemetry, side, block } = place;
  const at = { group: runtime.id, side: side.name, block };
  samples.push({ ...at, metric: totalMetric(telemetry.name), value: result.totalMs });
  if (telemetry.name === "off") {
    samples.push(...result.turnMs.slice(1).map((value) => ({ ...at, metric: "laterTurnMs", value })));
    if (side.isPersistent) {
      samples.push({ ...at, metric: "firstTurnMs", value: result.turnMs[0]! });
      samples.push({ ...at, metric: "closeMs", value: result.closeMs });
    }
  }
  if (side.way !== "bare") samples.push({ ...at, metric: "loadMs", value: result.loadMs });
  raw.push({ runtime: runtime.id, telemetry: telemetry.name, side: side.name, block, ...result });
}

/** `turnsMsTelemetryOff`, `turnsMsTelemetryOn`. */
function totalMetric(telemetry: string): string {
  return `turnsMsTelemetry${telemetry === "on" ? "On" : "Off"}`;
}

function describeMeasurement(
  { context, samples, raw }: Bench,
  runtimes: readonly BenchRuntime[],
  telemetries: readonly Telemetry[],
): Measurement {
  const turns = numberOption(context, "turns");
  const totals = telemetries.map(({ name }) => [
    totalMetric(name),
    { label: `${turns} turns, telemetry ${name}`, unit: "ms" },
  ]);
  return {
    metrics: {
      ...(Object.fromEntries(totals) as Record<string, MetricInfo>),
      firstTurnMs: { label: "start and first turn, telemetry off", unit: "ms" },
      laterTurnMs: { label: "each further turn, telemetry off", unit: "ms" },
      closeMs: { label: "last turn → engine's exit, telemetry off", unit: "ms" },
      loadMs: { label: "import of the SDK, not in the total", unit: "ms" },
    },
    comparisons: createComparisons(telemetries.map(({ name }) => totalMetric(name))),
    samples,
    notes: [
      "from before the first engine's start to the exit of the last, by the program's own clock; the runtime's start and the SDK's import are not in it",
      `"${oursSide}" against "${bareSide}" is what the SDK costs: 0.95× is 5 % more`,
      ...runtimes.map(({ id, version }) => `${id} is ${version}`),
    ],
    raw,
  };
}

function createComparisons(totals: readonly string[]): ComparisonSpec[] {
  return [
    ...totals.flatMap((metric) => [
      { metric, side: oursSide, baseline: officialSide },
      { metric, side: oursSide, baseline: execSide },
      { metric, side: bareSide, baseline: officialSide },
      { metric, side: oursSide, baseline: bareSide },
    ]),
    ...["firstTurnMs", "laterTurnMs", "closeMs"].map((metric) => ({
      metric,
      side: oursSide,
      baseline: bareSide,
    })),
  ];
}
