import type { MetricInfo } from "../../document/types.ts";
import { alternate } from "../../order.ts";
import { numberOption } from "../../scenario.ts";
import { median } from "../../statistics/quantile.ts";
import {
  askCallback,
  type BenchMod,
  createIdentity,
  privacyFilter,
  pseudonyms,
  pseudonymsWithoutCrypto,
} from "../bench-mods.ts";
import { expectAnswer } from "../expect-answer.ts";
import { betweenCallbacksMs, waitUntilQuiet } from "../quiet.ts";
import type { RunnerSide } from "../sides.ts";
import { type Part, type PartContext, start } from "./part.ts";

const metric = "cryptoCallbackMs";
const metrics: Record<string, MetricInfo> = {
  [metric]: { label: "first callback of a process, mod with HMAC", unit: "ms" },
};

/** The example mod with HMAC, and what the first use of Web Crypto costs a callback. */
export const cryptoPart: Part = {
  name: "crypto",
  metrics,
  readsMemory: false,
  async measure(part) {
    const { context, notes } = part;
    const without = await findSideWithoutCrypto(part);
    if (without !== undefined) {
      notes.push(`crypto: not measured: runner without crypto (${without})`);
      return;
    }
    const blocks = numberOption(context, "blocks");
    for (let block = 0; block < blocks; block++) {
      const step = context.progress.start(`crypto, block ${block + 1} of ${blocks}`);
      for (const mod of alternate([privacyFilter, pseudonyms, pseudonymsWithoutCrypto], block)) {
        for (const side of alternate(part.sides, block)) await measureFirst(part, side, mod, block);
      }
      step.succeed();
    }
    for (const { name } of part.sides) notes.push(describeFirstUse(part, name));
  },
};

async function findSideWithoutCrypto(part: PartContext): Promise<string | undefined> {
  const modules = { "main.js": 'export default () => typeof globalThis.crypto?.subtle === "object";\n' };
  const mod = createIdentity("crypto probe", modules);
  for (const side of part.sides) {
    await using runner = await start(part, side);
    const request = askCallback({
      mod,
      modules,
      module: "main.js",
      export: "default",
      input: null,
    });
    const { answer } = expectAnswer(side, await runner.ask(request));
    if (answer.type !== "result" || answer.value !== true) return side.name;
  }
  return undefined;
}

async function measureFirst(
  part: PartContext,
  side: RunnerSide,
  mod: BenchMod,
  block: number,
): Promise<void> {
  await using runner = await start(part, side);
  await waitUntilQuiet(runner.pid, betweenCallbacksMs, part.context.signal);
  const { elapsedMs } = expectAnswer(side, await runner.ask(askCallback(mod)));
  part.samples.push({ group: mod.name, side: side.name, metric, block, value: elapsedMs });
}

function describeFirstUse({ samples }: PartContext, side: string): string {
  const medianOf = ({ name }: BenchMod) =>
    median(
      samples
        .filter((sample) => sample.metric === metric && sample.side === side && sample.group === name)
        .map(({ value }) => value),
    );
  const cost = medianOf(pseudonyms) - medianOf(pseudonymsWithoutCrypto);
  return `crypto: ${side}: the first use costs ${cost.toFixed(2)} ms, medians with and without it`;
}
