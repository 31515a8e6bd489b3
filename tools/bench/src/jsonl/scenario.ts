import { join } from "node:path";
import { runProcess } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import type { ComparisonSpec, Sample } from "../document/types.ts";
import { findBuilt, framingModule } from "../find-built.ts";
import { alternate } from "../order.ts";
import { type BenchRuntime, provideRuntimes, runtimesOption } from "../runtimes.ts";
import {
  type Measurement,
  numberOption,
  type Scenario,
  type ScenarioContext,
  textOption,
} from "../scenario.ts";
import { floorSide, otherSides, oursSide, readlineEventsSide, readlineSide } from "./sides.ts";
import type { WorkerResult } from "./worker.ts";

const whole = "msPerMb";
const byRuntime = "msPerMbByRuntime";

export const jsonlScenario: Scenario = {
  name: "jsonl",
  title: "JSON lines: bytes of a stream → parsed messages",
  description: "framing and parsing of 200-byte and 1 MB JSON lines, with mitata, on each runtime",
  options: [
    runtimesOption,
    {
      name: "ours",
      kind: "text",
      description: "module with the SDK's createLineReader",
      default: framingModule,
    },
    {
      name: "blocks",
      kind: "number",
      description: "fresh processes per runtime",
      default: 8,
      short: 2,
      min: 1,
    },
    {
      name: "minMs",
      kind: "number",
      description: "least measured time per side and process",
      default: 200,
      short: 100,
      min: 1,
    },
  ],
  run: measureJsonl,
};

async function measureJsonl(context: ScenarioContext): Promise<Measurement> {
  const runtimes = await provideRuntimes(context);
  const blocks = numberOption(context, "blocks");
  const samples: Sample[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const runtime of alternate(runtimes, block)) {
      const step = context.progress.start(
        `block ${block + 1} of ${blocks}: ${runtime.id} ${runtime.version}`,
      );
      for (const result of await runWorker(runtime, block, context)) {
        samples.push(...toSamples(result, runtime, block));
      }
      step.succeed();
    }
  }
  return {
    metrics: {
      [whole]: { label: "bytes → messages, per MB", unit: "ms" },
      [byRuntime]: { label: `${readlineSide}, per MB, by runtime`, unit: "ms" },
    },
    comparisons,
    samples,
    notes: [
      `less ${floorSide}: what is left is the framing, decoding of the lines included`,
      `"${byRuntime}" has the samples of ${readlineSide} again, with the runtime as the side`,
      ...runtimes.map(({ id, version }) => `${id} is ${version}`),
    ],
    raw: [],
  };
}

async function runWorker(
  { kind, executable }: BenchRuntime,
  block: number,
  context: ScenarioContext,
): Promise<WorkerResult[]> {
  const ours = findBuilt(context.root, textOption(context, "ours"));
  const worker = join(import.meta.dirname, "worker.ts");
  // mitata collects garbage before each side where it can.
  const flags = kind === "node" ? ["--expose-gc"] : [];
  const { stdout } = await runProcess(
    executable,
    [...flags, worker, String(numberOption(context, "minMs")), String(block), ours],
    { cwd: context.root, env: createChildEnv(context.env), signal: context.signal },
  );
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as WorkerResult);
}

function toSamples(
  { workload, side, bytes, nanoseconds }: WorkerResult,
  runtime: BenchRuntime,
  block: number,
) {
  return nanoseconds.flatMap((value): Sample[] => {
    const perMb = value / 1e6 / (bytes / 1e6);
    const own = { group: `${workload}, ${runtime.id}`, side, metric: whole, block, value: perMb };
    if (side !== readlineSide) return [own];
    return [own, { group: workload, side: runtime.id, metric: byRuntime, block, value: perMb }];
  });
}

const parsers = [oursSide, ...otherSides.map(({ name }) => name)];

const comparisons: ComparisonSpec[] = [
  ...parsers
    .filter((side) => side !== readlineSide)
    .flatMap((side) => [
      { metric: whole, side, baseline: readlineSide },
      { metric: whole, side, baseline: readlineSide, floor: floorSide },
    ]),
  { metric: whole, side: oursSide, baseline: readlineEventsSide },
  // What a framing would have that costs nothing.
  { metric: whole, side: floorSide, baseline: readlineSide },
  { metric: byRuntime, side: "bun", baseline: "node24" },
];
