import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { exitCodes, ToolError, withDirectLoopback, withTempDir } from "@codex-js/cli-kit";
import { ensureRuntime } from "@codex-js/smoke";
import {
  createCodexHome,
  type MockModelReply,
  type MockModelRequest,
  reply,
  startMockModel,
} from "@codex-js/testkit/mock-model";
import { createChildEnv } from "../child-env.ts";
import type { Sample } from "../document/types.ts";
import { findEngine } from "../engine/find-engine.ts";
import { findBuilt, sdkModule } from "../find-built.ts";
import { findByEnvironment, listProcesses } from "../processes/process-tree.ts";
import { type RunningProcess, startProcess } from "../processes/start-process.ts";
import {
  type Measurement,
  numberOption,
  type Scenario,
  type ScenarioContext,
  textOption,
} from "../scenario.ts";
import { createRandom } from "../statistics/random.ts";
import { judgeGrowth, judgeTurns, type ModelRequest, splitQuarters } from "./judge.ts";
import { createKiller, type Kill } from "./killer.ts";
import {
  createAnswer,
  parsePrompt,
  type RestReport,
  type SoakPlan,
  type SoakReport,
  type TurnReport,
} from "./types.ts";

export const soakScenario: Scenario = {
  name: "soak",
  title: "Soak: many turns on several threads, engines killed and turns aborted at random moments",
  description:
    "many turns with random SIGKILLs of the engine and aborts; fails on anything lost, doubled or left",
  options: [
    { name: "turns", kind: "number", description: "in all", default: 2000, short: 120, min: 8 },
    { name: "threads", kind: "number", description: "that run turns at once", default: 6, min: 1 },
    { name: "killEvery", kind: "number", description: "turns per kill, on average", default: 25, min: 1 },
    { name: "runtime", kind: "text", description: "of the program under soak", default: "node24" },
  ],
  unsupported: (platform) => (platform === "linux" ? undefined : "it looks at processes through /proc"),
  run: soak,
};

/** How long the program may take to end by itself once it is done. */
const exitGraceMs = 15_000;

interface Outcome {
  turns: TurnReport[];
  rests: RestReport[];
  clients: number;
  kills: readonly Kill[];
  requests: ModelRequest[];
  /** Processes and records that were still there at the end. */
  left: string[];
  events: unknown[];
  durationMs: number;
}

async function soak(context: ScenarioContext): Promise<Measurement> {
  const outcome = await withTempDir("codex-js-soak", (dir) => runSoak(context, dir));
  const { turns, rests, kills, requests, left } = outcome;
  const verdict = judgeTurns(numberOption(context, "turns"), turns, requests);
  const problems = [...verdict.problems, ...judgeGrowth(rests)];
  if (left.length > 0) problems.push(`left behind: ${left.join(", ")}`);
  if (kills.length === 0) problems.push("no engine was killed");
  return {
    metrics: {
      turnMs: { label: "turn, by how it ended", unit: "ms" },
      heapKib: { label: "heap of the program, at rest", unit: "KiB" },
      rssKib: { label: "resident memory of the program, at rest", unit: "KiB" },
      descriptors: { label: "descriptors of the program, at rest", unit: "" },
    },
    comparisons: ["heapKib", "rssKib", "descriptors"].map((metric) => ({
      metric,
      side: "last quarter",
      baseline: "first quarter",
    })),
    samples: [...turns.map(toSample), ...toRestSamples(rests)],
    notes: [
      "a look at memory and descriptors is taken between rounds, while no turn runs, after a collection",
    ],
    raw: outcome.events,
    summary: summarise(outcome, verdict),
    problems,
  };
}

async function runSoak(context: ScenarioContext, dir: string): Promise<Outcome> {
  const requests: ModelRequest[] = [];
  await using model = await startMockModel({
    signal: context.signal,
    respond: (request) => answer(request, requests),
  });
  const home = await createCodexHome(model, { dir: join(dir, "home") });
  const [workDir, tempDir] = [join(dir, "work"), join(dir, "tmp")];
  await mkdir(workDir);
  await mkdir(tempDir);
  const runtime = await ensureRuntime(textOption(context, "runtime"), {
    context,
    cacheDir: context.cacheDir,
  });
  const turns = numberOption(context, "turns");
  const plan: SoakPlan = {
    sdk: pathToFileURL(findBuilt(context.root, sdkModule)).href,
    binary: findEngine().binary,
    workDir,
    turns,
    threads: numberOption(context, "threads"),
    turnsPerThread: 25,
    turnsPerRound: Math.max(1, Math.min(50, Math.floor(turns / 8))),
    seed: context.seed,
  };
  const startedAt = performance.now();
  const host = await startProcess(
    runtime.executable,
    ["--expose-gc", join(import.meta.dirname, "driver.ts"), JSON.stringify(plan)],
    // Its temp folder is its own, so that every record of a running engine that is left there is seen.
    { cwd: workDir, env: createChildEnv(withDirectLoopback(context.env), { ...home.env, TMPDIR: tempDir }) },
  );
  try {
    const watched = await watch(host, context, startedAt);
    const left = findByEnvironment(`CODEX_HOME=${home.dir}`, listProcesses()).map(({ name }) => name);
    left.push(...(await listRecords(tempDir)));
    return { ...watched, requests, left, durationMs: performance.now() - startedAt };
  } finally {
    await host.stop();
  }
}

/** Reads the program's reports, and kills its engines, until it has ended by itself. */
async function watch(
  host: RunningProcess,
  context: ScenarioContext,
  startedAt: number,
): Promise<Pick<Outcome, "turns" | "rests" | "clients" | "kills" | "events">> {
  const turns: TurnReport[] = [];
  const rests: RestReport[] = [];
  const events: unknown[] = [];
  let clients: number | undefined;
  const killer = createKiller({
    hostPid: host.pid,
    random: createRandom(context.seed),
    everyTurns: numberOption(context, "killEvery"),
    startedAt,
  });
  const step = context.progress.start(`${numberOption(context, "turns")} turns`);
  const stop = () => void host.stop();
  context.signal.addEventListener("abort", stop, { once: true });
  for await (const line of createInterface({ input: host.stdout })) {
    const report = JSON.parse(line) as SoakReport;
    events.push({ atMs: performance.now() - startedAt, ...report });
    if (report.event === "turn") {
      turns.push(report);
      killer.noteTurn(turns.length);
    } else if (report.event === "rest") {
      rests.push(report);
      step.update(`${report.turns} turns, ${killer.kills.length} kills`);
    } else {
      clients = report.clients;
      void killer.stop();
    }
  }
  await killer.stop();
  context.signal.removeEventListener("abort", stop);
  const how = await Promise.race([host.ended, timeout(exitGraceMs)]);
  context.signal.throwIfAborted();
  if (clients === undefined || how !== "exited with code 0") {
    step.fail();
    throw new ToolError({
      code: "CODEX_JS_BENCH_RUN_INVALID",
      message: `the program ${how} after ${turns.length} turns\n${host.readStderr()}`,
      exitCode: exitCodes.checkFailed,
    });
  }
  step.succeed();
  const all = [...events, ...killer.kills] as { atMs: number }[];
  return { turns, rests, clients, kills: killer.kills, events: all.sort((a, b) => a.atMs - b.atMs) };
}

function timeout(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, `did not end within ${ms} ms`).unref());
}

/** Keeps the prompts of each request and drops the rest: thousands of them would fill the memory. */
function answer(request: MockModelRequest, requests: ModelRequest[]): MockModelReply {
  request.body = null;
  requests.push({ prompts: request.userTexts.filter((text) => parsePrompt(text) !== undefined) });
  const prompt = parsePrompt(requests.at(-1)!.prompts.at(-1) ?? "");
  if (prompt === undefined) return reply.error(500, { error: { message: "no prompt of the soak" } });
  const { turn, kind, delayMs } = prompt;
  if (kind === "command") return reply.functionCall("exec_command", { cmd: "sleep 1000" });
  const streaming = kind === "stream" ? { deltaChars: 4, deltaDelayMs: 2 } : {};
  return reply.message(createAnswer(turn), { delayMs, ...streaming });
}

/** Records of running engines that nobody has removed. */
async function listRecords(tempDir: string): Promise<string[]> {
  const files = await readdir(tempDir, { recursive: true });
  return files.filter((file) => file.endsWith(".json"));
}

function toSample({ turn, end, ms }: TurnReport): Sample {
  return { group: "soak", side: end, metric: "turnMs", block: turn, value: ms };
}

function toRestSamples(rests: readonly RestReport[]): Sample[] {
  const { first, last } = splitQuarters(rests);
  const sides = [
    ["first quarter", first],
    ["last quarter", last],
  ] as const;
  return sides.flatMap(([side, part]) =>
    part.flatMap((rest, block) =>
      (["heapKib", "rssKib", "descriptors"] as const).map((metric) => ({
        group: "soak",
        side,
        metric,
        block,
        value: rest[metric],
      })),
    ),
  );
}

function summarise(
  { turns, kills, clients, left, durationMs }: Outcome,
  { lost, doubled }: { lost: number; doubled: number },
): string {
  const count = (end: TurnReport["end"]) => turns.filter((turn) => turn.end === end).length;
  return [
    `soak: ${turns.length} turns in ${Math.round(durationMs / 1000)} s`,
    `${count("completed")} completed, ${count("aborted")} aborted, ${count("crashed")} crashed, ${count("thread lost")} on lost threads, ${count("failed") + count("wrong answer")} failed`,
    `${kills.length} engines killed, ${clients} clients`,
    `${lost} lost, ${doubled} doubled, ${left.length} left behind`,
  ].join("; ");
}
