import { setTimeout as sleep } from "node:timers/promises";
import { DoctorError } from "./doctor-error.ts";
import { type EngineSession, type Notification, startEngineSession } from "./engine-session.ts";
import { isRunning, killTree, listDescendants, type ProcessEntry } from "./process-tree.ts";

export const phases = ["readyMs", "turnMs", "exitMs"] as const;
export type Phase = (typeof phases)[number];

interface ServerStart {
  state: "starting" | "ready" | "failed" | "cancelled";
  /** From the engine's word that it starts it to its word that it has or has not; null where neither came. */
  startupMs: number | null;
  error: string | null;
}

/** One run of the engine from its start to the end of the last process. Times in milliseconds, null: not reached. */
export interface Sample {
  /** Spawn → `initialize` answered. */
  readyMs: number | null;
  /** A new thread and its first turn, to `turn/completed`. */
  turnMs: number | null;
  /** End of stdin → the engine's process gone. */
  exitMs: number | null;
  /** The engine gone → everything it started gone; null also on Windows, where it is not measured. */
  lingerMs: number | null;
  /** How many processes outlived the engine, and by what name. */
  outlived: string[];
  /** True where they had to be killed at the end of the wait. */
  killed: boolean;
  servers: Record<string, ServerStart>;
  failure: { phase: Phase; message: string; deadline: boolean } | null;
}

export interface Trial {
  executablePath: string;
  /** Arguments of the engine, `app-server` first. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** For ready, turn and exit together. */
  deadlineMs: number;
  /** How long a server may go on after the engine before it is killed. */
  lingerLimitMs: number;
  /** Servers to see started or failed before the exit is measured, and for how long at most. */
  awaitedServers: readonly string[];
  awaitServersMs: number;
  signal: AbortSignal;
}

class DeadlineError extends Error {}

/**
 * Runs the engine once. Whatever happens, nothing that it started is left when this returns or throws.
 * @throws the signal's reason when that is aborted, DoctorError where the engine could not be started
 */
export async function measureOnce(trial: Trial): Promise<Sample> {
  trial.signal.throwIfAborted();
  const sample = createEmptySample();
  const startedAt = performance.now();
  const engine = startEngineSession(trial.executablePath, trial.args, trial);
  const limit = createLimit(trial);
  let phase: Phase = "readyMs";
  let tree: readonly ProcessEntry[] = [];
  try {
    watchServers(engine, sample);
    await limit.wait(initialize(engine));
    sample.readyMs = performance.now() - startedAt;

    phase = "turnMs";
    const turnStartedAt = performance.now();
    await limit.wait(runTurn(engine, trial.cwd));
    sample.turnMs = performance.now() - turnStartedAt;

    await limit.pause(Promise.race([waitForServers(trial, sample), failWhenEnded(engine)]));
    tree = await listDescendants(engine.pid);
    phase = "exitMs";
    const closedAt = performance.now();
    engine.endInput();
    const { atMs } = await limit.wait(engine.ended);
    sample.exitMs = atMs - closedAt;
    await limit.pause(waitForOutlived(tree, atMs, trial, sample));
  } catch (error) {
    trial.signal.throwIfAborted();
    if (error instanceof DoctorError) throw error;
    const deadline = error instanceof DeadlineError;
    const message = deadline ? error.message : explain(error, engine);
    sample.failure = { phase, message, deadline };
  } finally {
    limit.clear();
    await endTree(engine, tree);
  }
  return sample;
}

/** Starts the engine, asks it one thing, and ends it. `listener` also gets what comes along with the first answer. */
export async function askOnce<T>(
  trial: Omit<Trial, "awaitedServers" | "awaitServersMs" | "lingerLimitMs">,
  listener: (notification: Notification) => void,
  ask: (engine: EngineSession) => Promise<T>,
): Promise<{ answer: T; userAgent: string }> {
  const engine = startEngineSession(trial.executablePath, trial.args, trial);
  engine.onNotification(listener);
  const limit = createLimit(trial);
  try {
    const { userAgent } = await limit.wait(initialize(engine));
    return { answer: await limit.wait(ask(engine)), userAgent: String(userAgent) };
  } finally {
    limit.clear();
    await endTree(engine, []);
  }
}

/** Twice, because an engine can start a server between the look and the kill. */
async function endTree(engine: EngineSession, known: readonly ProcessEntry[]): Promise<void> {
  const tree = [...known, ...(await listDescendants(engine.pid))];
  await killTree(engine.pid, tree);
  await engine.ended.catch(() => {});
  await killTree(engine.pid, [...tree, ...(await listDescendants(engine.pid))]);
}

async function initialize(engine: EngineSession): Promise<Record<string, unknown>> {
  const clientInfo = { name: "codex_js_doctor", title: "codex-js doctor", version: "0" };
  // Also where the start failed, which only `ended` tells.
  const answer = await Promise.race([
    engine.request("initialize", { clientInfo }),
    engine.ended.then(() => new Promise<never>(() => {})),
  ]);
  engine.notify("initialized");
  return answer;
}

async function runTurn(engine: EngineSession, cwd: string): Promise<void> {
  const started = await engine.request("thread/start", { cwd });
  const threadId = (started.thread as { id: string }).id;
  const completed = new Promise<Notification>((resolve) => {
    engine.onNotification((one) => {
      if (one.method === "turn/completed" && one.params.threadId === threadId) resolve(one);
    });
  });
  const input = [{ type: "text", text: "Say: done", text_elements: [] }];
  await engine.request("turn/start", { threadId, input });
  const turn = (await Promise.race([completed, failWhenEnded(engine)])).params.turn as {
    status: string;
    error?: { message?: string } | null;
  };
  if (turn.status !== "completed") throw new Error(turn.error?.message ?? `the turn ended as ${turn.status}`);
}

async function failWhenEnded(engine: EngineSession): Promise<never> {
  const { exitCode, signal } = await engine.ended;
  throw new Error(`the engine ended before it was told to (${signal ?? `exit code ${exitCode}`})`);
}

function watchServers(engine: EngineSession, sample: Sample): void {
  const startedAt = new Map<string, number>();
  engine.onNotification(({ method, params }) => {
    if (method !== "mcpServer/startupStatus/updated") return;
    const { name, status, error } = params as {
      name: string;
      status: ServerStart["state"];
      error: string | null;
    };
    if (status === "starting") startedAt.set(name, performance.now());
    const from = startedAt.get(name);
    const isOver = status !== "starting" && from !== undefined;
    sample.servers[name] = {
      state: status,
      startupMs: isOver ? performance.now() - from : null,
      error: error ?? null,
    };
  });
}

/** The exit is to be measured with the servers up, as after any turn that took a model's time. */
async function waitForServers(trial: Trial, sample: Sample): Promise<void> {
  const until = performance.now() + trial.awaitServersMs;
  const isStarting = (name: string) => (sample.servers[name]?.state ?? "starting") === "starting";
  while (trial.awaitedServers.some(isStarting) && performance.now() < until) await sleep(10);
}

async function waitForOutlived(
  tree: readonly ProcessEntry[],
  engineGoneAt: number,
  trial: Trial,
  sample: Sample,
): Promise<void> {
  if (process.platform === "win32") return;
  const running = () => tree.filter(isRunning);
  // The engine kills its servers as its last act; the kernel may take a moment to be done with them.
  const settledAt = engineGoneAt + 50;
  while (running().length > 0 && performance.now() < settledAt) await sleep(5);
  let left = running();
  sample.outlived = left.map(({ name }) => name);
  while (left.length > 0 && performance.now() - engineGoneAt < trial.lingerLimitMs) {
    await sleep(10);
    left = running();
  }
  sample.lingerMs = sample.outlived.length === 0 ? 0 : performance.now() - engineGoneAt;
  sample.killed = left.length > 0;
}

/** Ends waits at the deadline and on abort. Time in `pause` counts towards no deadline: it has its own. */
function createLimit({ deadlineMs, signal }: Pick<Trial, "deadlineMs" | "signal">) {
  let leftMs = deadlineMs;
  let reject: (error: unknown) => void;
  const stopped = new Promise<never>((_, rejectStopped) => {
    reject = rejectStopped;
  });
  stopped.catch(() => {});
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return {
    async wait<T>(work: Promise<T>): Promise<T> {
      const from = performance.now();
      const error = new DeadlineError(`no answer within ${deadlineMs / 1000} s`);
      const timer = setTimeout(() => reject(error), leftMs);
      try {
        return await Promise.race([work, stopped]);
      } finally {
        clearTimeout(timer);
        leftMs = Math.max(0, leftMs - (performance.now() - from));
      }
    },
    pause: (work: Promise<void>): Promise<void> => Promise.race([work, stopped]),
    clear: () => signal.removeEventListener("abort", onAbort),
  };
}

function createEmptySample(): Sample {
  return {
    readyMs: null,
    turnMs: null,
    exitMs: null,
    lingerMs: null,
    outlived: [],
    killed: false,
    servers: {},
    failure: null,
  };
}

function explain(error: unknown, engine: EngineSession): string {
  const message = error instanceof Error ? error.message : String(error);
  const stderr = engine.readStderr().split("\n").slice(-3).join("\n");
  return message.startsWith("the engine ended") && stderr !== "" ? `${message}: ${stderr}` : message;
}
