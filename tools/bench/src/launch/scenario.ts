import { join } from "node:path";
import type { Sample } from "../document/types.ts";
import { findEngine } from "../engine/find-engine.ts";
import { findBuilt } from "../find-built.ts";
import { alternate } from "../order.ts";
import { type BenchRuntime, provideRuntimes, runtimesOption } from "../runtimes.ts";
import {
  type Measurement,
  numberOption,
  type Scenario,
  type ScenarioContext,
  textOption,
} from "../scenario.ts";
import { askHyperfineVersion, type HyperfineCommand, timeCommands } from "./hyperfine.ts";

const metric = "launchMs";

export const launchScenario: Scenario = {
  name: "launch",
  title: "codex --version: our launcher, the official one, and the engine without any",
  description: "how long the launcher takes until the engine has answered --version, by hyperfine",
  options: [
    runtimesOption,
    {
      name: "launcher",
      kind: "text",
      description: "our launcher as built",
      default: join("packages", "launcher", "dist", "codex.js"),
    },
    {
      name: "blocks",
      kind: "number",
      description: "times the order alternates",
      default: 10,
      short: 4,
      min: 1,
    },
    { name: "runs", kind: "number", description: "runs per block and side", default: 10, short: 5, min: 1 },
    { name: "warmups", kind: "number", description: "unmeasured runs before them", default: 2, short: 1 },
  ],
  run: measureLaunch,
};

async function measureLaunch(context: ScenarioContext): Promise<Measurement> {
  const hyperfine = await askHyperfineVersion(context);
  const runtimes = await provideRuntimes(context);
  const launcher = findBuilt(context.root, textOption(context, "launcher"));
  const blocks = numberOption(context, "blocks");
  const repeats = { warmups: numberOption(context, "warmups"), runs: numberOption(context, "runs") };
  const samples: Sample[] = [];
  const raw: unknown[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const runtime of alternate(runtimes, block)) {
      const step = context.progress.start(`block ${block + 1} of ${blocks}: ${runtime.id}`);
      const commands = alternate(createCommands(runtime, launcher), block);
      const { exported, times } = await timeCommands(commands, repeats, context);
      raw.push({ block, runtime: runtime.id, hyperfine: exported });
      for (const { name, seconds } of times) {
        const place = { group: runtime.id, side: name, metric, block };
        samples.push(...seconds.map((value) => ({ ...place, value: value * 1000 })));
      }
      step.succeed();
    }
  }
  return {
    metrics: { [metric]: { label: "start → engine's answer → exit", unit: "ms" } },
    comparisons: [
      { metric, side: "ours", baseline: "official" },
      { metric, side: "ours", baseline: "official", floor: "engine alone" },
    ],
    samples,
    notes: [
      `${hyperfine}; its own exports are under "raw"`,
      "less engine alone: what is left is the runtime's start and the launcher",
      ...runtimes.map(({ id, version }) => `${id} is ${version}`),
    ],
    raw,
  };
}

function createCommands({ executable }: BenchRuntime, launcher: string): HyperfineCommand[] {
  const { binary, officialLauncher } = findEngine();
  return [
    { name: "ours", argv: [executable, launcher, "--version"] },
    { name: "official", argv: [executable, officialLauncher, "--version"] },
    { name: "engine alone", argv: [binary, "--version"] },
  ];
}
