import { mkdir } from "node:fs/promises";
import { createTempDir } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import { chooseFromList, type Measurement, type Scenario, type ScenarioContext } from "../scenario.ts";
import { readMemory } from "./memory.ts";
import { cryptoPart } from "./parts/crypto.ts";
import { loadPart } from "./parts/load.ts";
import { memoryPart } from "./parts/memory.ts";
import { compareSides, type Part, type PartContext, start } from "./parts/part.ts";
import { turnsPart } from "./parts/turns.ts";
import { builtRunner, nodeLifeCallbacks, prepareSides } from "./sides.ts";

/** A new part is one file and one line here. */
const parts: readonly Part[] = [turnsPart, memoryPart, loadPart, cryptoPart];

export const modRunnerScenario: Scenario = {
  name: "mod-runner",
  title: "Mods: the native runner against a runner on Node 24",
  description: "start, callbacks, renders and memory of the mod runner against one on Node 24",
  options: [
    { name: "runner", kind: "text", description: "our runner as built", default: builtRunner },
    {
      name: "sandbox",
      kind: "text",
      description: "our runner's --sandbox, for machines where it hides memory; empty: its own default",
      default: "",
    },
    { name: "parts", kind: "list", description: "what to measure", default: parts.map(({ name }) => name) },
    {
      name: "blocks",
      kind: "number",
      description: "of turns: processes of each side and mod",
      default: 20,
      short: 3,
      min: 1,
    },
    {
      name: "reused",
      kind: "number",
      description: "later callbacks of a process",
      default: 20,
      short: 5,
      min: 1,
    },
    {
      name: "renders",
      kind: "number",
      description: "of a loaded mod, of each size",
      default: 50,
      short: 20,
      min: 1,
    },
    { name: "memoryBlocks", kind: "number", description: "of memory", default: 5, short: 1, min: 1 },
    { name: "many", kind: "number", description: "runners at once", default: 9, short: 3, min: 2 },
    {
      name: "quietMs",
      kind: "number",
      description: "without any activity before memory is read",
      default: 500,
      short: 200,
      min: 1,
    },
    { name: "loadBlocks", kind: "number", description: "of load", default: 3, short: 1, min: 1 },
    { name: "callbacks", kind: "number", description: "of one load", default: 10_000, short: 300, min: 1 },
    {
      name: "callers",
      kind: "number",
      description: "that ask the pool for callbacks, each for one after the other",
      default: 4,
      short: 2,
      min: 1,
    },
  ],
  unsupported: (platform) =>
    platform === "linux" ? undefined : "it reads /proc and smaps_rollup, which only Linux has",
  run: measureModRunner,
};

async function measureModRunner(context: ScenarioContext): Promise<Measurement> {
  const wanted = readParts(context);
  // Not the system's temp folder: where that is in memory, every page of a program in it counts as written.
  await mkdir(context.cacheDir, { recursive: true });
  await using dir = await createTempDir("mod-runner", context.cacheDir);
  const sides = await prepareSides(context, dir.path);
  const part: PartContext = {
    context,
    sides,
    dir: dir.path,
    env: createChildEnv(context.env),
    samples: [],
    raw: [],
    notes: [...notes],
  };
  if (wanted.some((one) => one.readsMemory)) await expectReadableMemory(part);
  for (const { measure } of wanted) await measure(part);
  const metrics = Object.assign({}, ...wanted.map((one) => one.metrics)) as Measurement["metrics"];
  return {
    metrics,
    comparisons: compareSides(metrics),
    samples: part.samples,
    notes: part.notes,
    raw: part.raw,
  };
}

/** Before minutes of measuring. @throws ToolError CODEX_JS_BENCH_MEMORY_UNREADABLE (usage) */
async function expectReadableMemory(part: PartContext): Promise<void> {
  for (const side of part.sides) {
    await using runner = await start(part, side);
    readMemory([runner.pid]);
  }
}

/** @throws ToolError CODEX_JS_BENCH_BAD_OPTION (usage) */
function readParts(context: ScenarioContext): Part[] {
  const known = parts.map(({ name }) => name);
  const names = chooseFromList(context, "parts", known);
  return parts.filter(({ name }) => names.includes(name));
}

const notes = [
  `steady load: Node's pool is made anew after ${nodeLifeCallbacks} callbacks a runner, because Node keeps every context that has had a vm.SourceTextModule (nodejs/node#59118)`,
  "times are the host's: from before its line is written to the answer, parsed; both sides have the same host",
  "each side runs from a copy of its program that nothing else on the machine has open, so its PSS is its own; on a host that is the same Node, a Node runner would share that one's pages",
];
