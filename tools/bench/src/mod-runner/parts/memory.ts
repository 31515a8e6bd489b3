import { alternate } from "../../order.ts";
import { numberOption } from "../../scenario.ts";
import { askCallback, statusLine } from "../bench-mods.ts";
import { expectAnswer } from "../expect-answer.ts";
import { memoryMetrics, sampleMemory } from "../memory.ts";
import { restingMs, waitUntilAllQuiet } from "../quiet.ts";
import type { RunnerClient } from "../runner-client.ts";
import type { RunnerSide } from "../sides.ts";
import { type Part, type PartContext, start } from "./part.ts";

/** How much memory one runner has, and many at once. */
export const memoryPart: Part = {
  name: "memory",
  metrics: memoryMetrics,
  readsMemory: true,
  async measure(part) {
    const { context, sides } = part;
    const blocks = numberOption(context, "memoryBlocks");
    const many = numberOption(context, "many");
    for (let block = 0; block < blocks; block++) {
      const step = context.progress.start(`memory, block ${block + 1} of ${blocks}`);
      for (const side of alternate(sides, block)) {
        step.update(`one runner, ${side.name}`);
        await measureOne(part, side, block);
      }
      for (const side of alternate(sides, block)) {
        step.update(`${many} runners, ${side.name}`);
        await measureMany(part, side, block, many);
      }
      step.succeed();
    }
  },
};

async function measureOne(part: PartContext, side: RunnerSide, block: number): Promise<void> {
  const reused = numberOption(part.context, "reused");
  await using runner = await start(part, side);
  await sample(part, side, [runner], block, "one idle");
  await callBack(side, runner, false);
  await sample(part, side, [runner], block, "one, after a callback");
  for (let index = 0; index < reused; index++) await callBack(side, runner, true);
  await sample(part, side, [runner], block, "one, reused");
  await sample(part, side, [runner], block, "one, reused, at rest", restingMs);
}

async function measureMany(part: PartContext, side: RunnerSide, block: number, many: number): Promise<void> {
  await using all = new AsyncDisposableStack();
  const runners: RunnerClient[] = [];
  while (runners.length < many) runners.push(all.use(await start(part, side)));
  await sample(part, side, runners, block, `${many} at once, idle`);
  for (const runner of runners) await callBack(side, runner, false);
  await sample(part, side, runners, block, `${many} at once, after a callback`);
}

async function callBack(side: RunnerSide, runner: RunnerClient, isKnown: boolean): Promise<void> {
  expectAnswer(side, await runner.ask(askCallback(statusLine, { isKnown })));
}

async function sample(
  { context, samples }: PartContext,
  side: RunnerSide,
  runners: readonly RunnerClient[],
  block: number,
  group: string,
  quietMs = numberOption(context, "quietMs"),
): Promise<void> {
  const pids = runners.map(({ pid }) => pid);
  await waitUntilAllQuiet(pids, quietMs, context.signal);
  samples.push(...sampleMemory(pids, { group, side: side.name, block }));
}
