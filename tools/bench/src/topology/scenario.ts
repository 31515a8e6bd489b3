import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, withTempDir } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import type { ComparisonSpec, Sample } from "../document/types.ts";
import { findEngine } from "../engine/find-engine.ts";
import { shuffleBlocks } from "../order.ts";
import { countUsers } from "../processes/other-users.ts";
import { findByEnvironment, listProcesses } from "../processes/process-tree.ts";
import {
  chooseFromList,
  listOption,
  type Measurement,
  numberOption,
  type Scenario,
  type ScenarioContext,
} from "../scenario.ts";
import { createRandom } from "../statistics/random.ts";
import { createCodexHome } from "./codex-home.ts";
import { createDurableThreads } from "./durable-threads.ts";
import { sampleTopology } from "./sample-topology.ts";
import { startTopology } from "./start-topology.ts";
import { sumSamples, topologyMetrics } from "./sum-samples.ts";
import type { Project, TopologyName, TopologySample } from "./types.ts";

const topologies: readonly TopologyName[] = ["shared", "own", "embedded"];

export const topologyScenario: Scenario = {
  name: "topology",
  title: "Idle TUIs: one shared app-server, one each, or one embedded in each",
  description: "memory and activity of idle TUIs on a shared, an own and an embedded app-server",
  options: [
    { name: "harnesses", kind: "number", description: "TUIs", default: 20, short: 4, min: 1 },
    {
      name: "topologies",
      kind: "list",
      description: "which to compare",
      default: topologies,
    },
    {
      name: "serverEnv",
      kind: "list",
      description: "NAME=VALUE added to the environment of the servers, to see what a setting does",
      default: [],
    },
    {
      name: "runs",
      kind: "number",
      description: "times each topology is started",
      default: 3,
      short: 1,
      min: 1,
    },
    {
      name: "settleSeconds",
      kind: "number",
      description: "idle time before the window",
      default: 10,
      short: 2,
    },
    { name: "sampleSeconds", kind: "number", description: "the window", default: 65, short: 4, min: 0.1 },
    {
      name: "sampleInterval",
      kind: "number",
      description: "seconds between looks",
      default: 5,
      short: 1,
      min: 0.1,
    },
  ],
  unsupported: (platform) =>
    platform === "linux" ? undefined : "it reads /proc and smaps_rollup, which only Linux has",
  run: (context) => withTempDir("cxb", (dir) => measureTopologies(context, dir)),
};

async function measureTopologies(context: ScenarioContext, dir: string): Promise<Measurement> {
  const { binary } = findEngine();
  const home = join(dir, "home");
  const env = createChildEnv(context.env, { HOME: dir, CODEX_HOME: home, LANG: "C.UTF-8" });
  const projects = await prepareProjects(context, { dir, home, binary, env });
  const serverEnv = { ...env, ...readServerEnv(context) };
  const ticksPerSecond = await readTicksPerSecond(context);
  const runs = numberOption(context, "runs");
  const orders = shuffleBlocks(
    chooseFromList(context, "topologies", topologies),
    runs,
    createRandom(context.seed),
  );
  const samples: Sample[] = [];
  const raw: unknown[] = [];
  let others = 0;
  for (const [block, order] of orders.entries()) {
    for (const name of order) {
      others = Math.max(others, countUsers(binary));
      const step = context.progress.start(`run ${block + 1} of ${runs}: ${name}`);
      const socketDir = join(dir, "s");
      const topology = await startTopology(name, {
        binary,
        env,
        serverEnv,
        socketDir,
        projects,
        signal: context.signal,
      });
      try {
        step.update(`${topology.tuis.length} TUIs are idle, sampling`);
        const looks = await sampleTopology(topology, {
          settleMs: numberOption(context, "settleSeconds") * 1000,
          sampleMs: numberOption(context, "sampleSeconds") * 1000,
          intervalMs: numberOption(context, "sampleInterval") * 1000,
          environmentLine: `CODEX_HOME=${home}`,
          signal: context.signal,
        });
        samples.push(...sumSamples(name, block, looks, ticksPerSecond));
        raw.push(...looks.map((look) => toRaw(name, block, look)));
        step.succeed(describeProcesses(looks.at(-1)!));
      } finally {
        await topology.stop();
      }
      killStrays(home);
    }
  }
  return { metrics: topologyMetrics, comparisons, samples, notes: [...notes, describeOthers(others)], raw };
}

function describeOthers(count: number): string {
  if (count === 0) return "no other process ran the engine";
  return `${count} other processes ran the engine at the same time and shared pages: PSS is too low`;
}

interface Place {
  dir: string;
  home: string;
  binary: string;
  env: Record<string, string>;
}

async function prepareProjects(
  context: ScenarioContext,
  { dir, home, binary, env }: Place,
): Promise<Project[]> {
  const count = numberOption(context, "harnesses");
  const step = context.progress.start(`${count} project folders and durable threads`);
  const dirs = Array.from({ length: count }, (_, index) => join(dir, "projects", `project-${index + 1}`));
  await Promise.all(dirs.map((path) => mkdir(path, { recursive: true })));
  await createCodexHome(home, dirs);
  const projects = await createDurableThreads(binary, dirs, { cwd: dir, env });
  step.succeed();
  return projects;
}

function readServerEnv(context: ScenarioContext): Record<string, string> {
  return Object.fromEntries(
    listOption(context, "serverEnv").map((text) => {
      const [name = "", ...value] = text.split("=");
      return [name, value.join("=")];
    }),
  );
}

/** Clock ticks of /proc/PID/stat; 100 on nearly every Linux, but it is the kernel's to say. */
async function readTicksPerSecond(context: ScenarioContext): Promise<number> {
  const { stdout } = await runProcess("getconf", ["CLK_TCK"], {
    cwd: context.root,
    env: createChildEnv(context.env),
    signal: context.signal,
  });
  return Number(stdout);
}

/** Ends what has left the trees: nothing with our CODEX_HOME may see the next topology. */
function killStrays(home: string): void {
  for (const { pid } of findByEnvironment(`CODEX_HOME=${home}`, listProcesses()))
    process.kill(pid, "SIGKILL");
}

function toRaw(topology: TopologyName, block: number, look: TopologySample): unknown {
  const withoutThreads = (processes: TopologySample["tuis"]) =>
    processes.map(({ switches, ...rest }) => ({
      ...rest,
      voluntarySwitches: [...switches.values()].reduce((sum, { voluntary }) => sum + voluntary, 0),
    }));
  return {
    topology,
    block,
    atMs: Math.round(look.atMs),
    servers: withoutThreads(look.servers),
    tuis: withoutThreads(look.tuis),
  };
}

/** `21 processes: 1 server (codex), 20 TUIs (codex)`. */
function describeProcesses({ servers, tuis }: TopologySample): string {
  const names = (processes: TopologySample["tuis"]) => {
    const byName = Map.groupBy(processes, ({ name }) => name);
    return [...byName].map(([name, { length }]) => `${length} ${name}`).join(", ") || "none";
  };
  return `servers: ${names(servers)}; TUIs: ${names(tuis)}`;
}

const comparisons: ComparisonSpec[] = Object.keys(topologyMetrics).flatMap((metric) => [
  { metric, side: "shared", baseline: "own" },
  { metric, side: "shared", baseline: "embedded" },
]);

const notes = [
  "everything is servers and TUIs together, with all their children; embedded has no servers of its own",
  "threads were made durable by naming them (thread/start, thread/name/set), without any turn",
  "PSS, private memory, processes, threads and descriptors: at every look; CPU, system calls and switches: over the whole window",
];
