// The program under soak: `<runtime> driver.ts <SoakPlan as JSON>`. One SoakReport a line on stdout.
import { readdirSync } from "node:fs";
import { createRandom } from "../statistics/random.ts";
import {
  createAnswer,
  formatPrompt,
  type SoakPlan,
  type SoakReport,
  type TurnEnd,
  type TurnKind,
} from "./types.ts";

interface SdkThread {
  readonly id: string | null;
  run(input: string, options: { signal: AbortSignal }): Promise<{ finalResponse: string }>;
}

interface SdkClient {
  startThread(options: object): SdkThread;
  resumeThread(id: string, options: object): SdkThread;
  close(): Promise<void>;
}

const plan = JSON.parse(process.argv[2] ?? "") as SoakPlan;
const { Codex } = (await import(plan.sdk)) as {
  Codex: new (options: { codexPathOverride: string }) => SdkClient;
};
const options = {
  workingDirectory: plan.workDir,
  skipGitRepoCheck: true,
  sandboxMode: "danger-full-access",
};

let client = new Codex({ codexPathOverride: plan.binary });
let clients = 1;
let renewal: Promise<void> | undefined;
let nextTurn = 0;

const workers = Array.from({ length: plan.threads }, (_, index) => createWorker(index));
while (nextTurn < plan.turns) {
  const until = Math.min(nextTurn + plan.turnsPerRound, plan.turns);
  await Promise.all(workers.map((runTurns) => runTurns(until)));
  reportRest();
}
await client.close();
report({ event: "end", clients });

function createWorker(worker: number): (until: number) => Promise<void> {
  // Each has numbers of its own, so that the order in which they come to run changes none of them.
  const random = createRandom(plan.seed + 7919 * (worker + 1));
  let threadId: string | null = null;
  let turnsOfThread = 0;

  const runTurn = async (turn: number): Promise<void> => {
    if (turnsOfThread++ % plan.turnsPerThread === 0) threadId = null;
    const kind = pickKind(random());
    const prompt = formatPrompt(turn, kind, Math.floor(random() * 20));
    const abort = kind === "command" || random() < 0.1;
    const abortAfterMs = random() * (kind === "command" ? 400 : 60);
    const startedAt = performance.now();
    for (;;) {
      const used = client;
      const thread = threadId === null ? used.startThread(options) : used.resumeThread(threadId, options);
      const outcome = await tryTurn(thread, turn, prompt, abort ? abortAfterMs : undefined);
      if (hasGivenUp(used, outcome.detail)) {
        await renewClient(used);
        continue;
      }
      const ms = performance.now() - startedAt;
      report({ event: "turn", turn, kind, worker, threadId: thread.id, abort, ms, ...outcome });
      threadId = outcome.end === "thread lost" ? null : thread.id;
      return;
    }
  };

  return async (until) => {
    while (nextTurn < until) await runTurn(nextTurn++);
  };
}

async function tryTurn(
  thread: SdkThread,
  turn: number,
  prompt: string,
  abortAfterMs: number | undefined,
): Promise<{ end: TurnEnd; detail?: string }> {
  const controller = new AbortController();
  const timer =
    abortAfterMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(new Error("enough")), abortAfterMs);
  try {
    const { finalResponse } = await thread.run(prompt, { signal: controller.signal });
    if (finalResponse === createAnswer(turn)) return { end: "completed" };
    return { end: "wrong answer", detail: finalResponse };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "ABORT_ERR") return { end: "aborted" };
    if (code === "CODEX_JS_SDK_ENGINE_EXITED") return { end: "crashed", detail: message.slice(0, 300) };
    if (code === "CODEX_JS_SDK_THREAD_LOST") return { end: "thread lost" };
    return { end: "failed", detail: code ?? message };
  } finally {
    clearTimeout(timer);
  }
}

/** The client does not start turns any more, or did not when this one was asked for. */
function hasGivenUp(used: SdkClient, code: string | undefined): boolean {
  if (code === "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED") return true;
  const isReplaced = used !== client || renewal !== undefined;
  return code === "CODEX_JS_SDK_CONNECTION_CLOSED" && isReplaced;
}

/** A program that wants to go on after five crashes in three minutes makes itself a new client. */
async function renewClient(used: SdkClient): Promise<void> {
  if (client === used) {
    renewal ??= used.close().then(() => {
      client = new Codex({ codexPathOverride: plan.binary });
      clients++;
      renewal = undefined;
    });
  }
  await renewal;
}

function pickKind(chance: number): TurnKind {
  if (chance < 0.05) return "command";
  return chance < 0.4 ? "stream" : "answer";
}

function reportRest(): void {
  const { gc } = globalThis as { gc?: () => void };
  // The second one collects what the first one's finalizers let go.
  for (let times = 0; times < 2; times++) gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = readdirSync("/proc/self/fd").length;
  const [heapKib, rssKib] = [heapUsed, rss].map((bytes) => bytes / 1024) as [number, number];
  report({ event: "rest", turns: nextTurn, heapKib, rssKib, descriptors, clients });
}

function report(message: SoakReport): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
