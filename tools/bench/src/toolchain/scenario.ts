import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, withTempDir } from "@codex-js/cli-kit";
import type { Sample } from "../document/types.ts";
import { alternate } from "../order.ts";
import {
  chooseFromList,
  type Measurement,
  numberOption,
  type Scenario,
  type ScenarioContext,
} from "../scenario.ts";
import { build } from "./build.ts";
import { testStart } from "./test-start.ts";
import { typeCheck } from "./type-check.ts";
import type { Step, ToolPart, ToolTask } from "./types.ts";
import { warmInstall } from "./warm-install.ts";

const group = "toolchain";

/** A new part is one file and one line here. */
const parts: readonly ToolPart[] = [testStart, warmInstall, build, typeCheck];

export const toolchainScenario: Scenario = {
  name: "toolchain",
  title: "The toolchain: test start-up, warm install, build, type check",
  description: "test start-up, warm install, cached build and type check, Node and Bun side by side",
  options: [
    { name: "blocks", kind: "number", description: "times every side is run", default: 10, short: 3, min: 1 },
    { name: "parts", kind: "list", description: "which to run", default: parts.map(({ name }) => name) },
  ],
  run: (context) => withTempDir("codex-js-toolchain", (dir) => measureToolchain(context, dir)),
};

async function measureToolchain(context: ScenarioContext, dir: string): Promise<Measurement> {
  const blocks = numberOption(context, "blocks");
  const { tasks, notes } = await planTasks(context, dir);
  const samples: Sample[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const { metric, label, sides } of tasks) {
      const step = context.progress.start(`block ${block + 1} of ${blocks}: ${label}`);
      for (const side of alternate(sides, block)) {
        await side.prepare?.();
        const value = await time(side.step, context);
        samples.push({ group, side: side.name, metric, block, value });
      }
      step.succeed();
    }
  }
  return {
    metrics: Object.fromEntries(tasks.map(({ metric, label }) => [metric, { label, unit: "ms" }])),
    comparisons: tasks.flatMap(({ metric, comparisons }) => comparisons.map((pair) => ({ metric, ...pair }))),
    samples,
    notes,
    raw: [],
  };
}

/** Every side has run once when a part is planned, so the first timed run finds warm files. */
async function planTasks(
  context: ScenarioContext,
  dir: string,
): Promise<{ tasks: ToolTask[]; notes: string[] }> {
  const wanted = chooseFromList(
    context,
    "parts",
    parts.map(({ name }) => name),
  );
  const tasks: ToolTask[] = [];
  const notes: string[] = ["times are those of whole processes, from their start to their exit"];
  for (const part of parts.filter(({ name }) => wanted.includes(name))) {
    const progress = context.progress.start(`prepare ${part.name}`);
    try {
      const own = join(dir, part.name.replaceAll(" ", "-"));
      await mkdir(own);
      const planned = await part.plan({ context, dir: own });
      for (const { sides } of planned) {
        for (const { prepare, step } of sides) {
          await prepare?.();
          await time(step, context);
        }
      }
      tasks.push(...planned);
      progress.succeed();
    } catch (error) {
      context.signal.throwIfAborted();
      const reason = describeFailure(error);
      notes.push(`${part.name} was left out: ${reason}`);
      progress.skip(reason);
    }
  }
  return { tasks, notes };
}

/** The line of a failed child's output that says why; the message begins with its whole command line. */
function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.trim().split("\n");
  return (lines.slice(1).find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "").trim();
}

async function time(
  { file, args, cwd, env, okExitCodes }: Step,
  { signal }: ScenarioContext,
): Promise<number> {
  const startedAt = performance.now();
  await runProcess(file, args, { cwd, env, signal, ...(okExitCodes === undefined ? {} : { okExitCodes }) });
  return performance.now() - startedAt;
}
