import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { type RunningProcess, startProcess } from "../processes/start-process.ts";
import type { HostOperations } from "./host-operations.ts";
import {
  type AnswerMessage,
  type CachesMessage,
  type CallbackMessage,
  type HostMessage,
  type HostRequestMessage,
  type LoadMessage,
  type LogMessage,
  protocolVersion,
  type ReadyMessage,
  type RenderMessage,
  type RunnerMessage,
} from "./protocol.ts";
import type { RunnerSide } from "./sides.ts";

/** A turn's message; the client numbers it. */
export type TurnRequest = Omit<CallbackMessage, "id"> | Omit<LoadMessage, "id"> | Omit<RenderMessage, "id">;

export interface TurnReport {
  answer: AnswerMessage;
  /** From before the message was written to its answer, parsed. */
  elapsedMs: number;
  logs: LogMessage[];
  caches: Record<string, string>;
}

/** The benchmark's own host: speaks the line protocol with one runner, and measures. */
export interface RunnerClient extends AsyncDisposable {
  readonly pid: number;
  /** From before the process was started to its ready line, parsed. */
  readonly startMs: number;
  /** The same without what it takes this host to make a process: from when the runner's program had begun. */
  readonly readyMs: number;
  readonly ready: ReadyMessage;
  /** One at a time. @throws ToolError CODEX_JS_BENCH_RUNNER_ENDED, CODEX_JS_BENCH_RUNNER_SILENT (external) */
  ask(request: TurnRequest): Promise<TurnReport>;
}

export interface ClientOptions {
  cwd: string;
  env: Record<string, string>;
  operations: HostOperations;
  /** 32 bytes in hexadecimal: the runner may make code caches and take them. */
  cacheKey?: string;
}

/** Far beyond any budget: a runner that says nothing for so long is broken. */
const silenceLimitMs = 60_000;

/** @throws ToolError as `ask`, and CODEX_JS_BENCH_START_FAILED (external) */
export async function startRunner(side: RunnerSide, options: ClientOptions): Promise<RunnerClient> {
  const startedAt = performance.now();
  const runner = await startProcess(side.file, side.args, {
    cwd: options.cwd,
    env: { ...options.env, ...side.env },
  });
  try {
    const lines = createLineQueue(runner, side);
    if (options.cacheKey !== undefined) {
      send(runner, { type: "hello", protocolVersion, cacheKey: options.cacheKey });
    }
    const ready = await lines.next();
    const readyAt = performance.now();
    const [startMs, readyMs] = [readyAt - startedAt, readyAt - runner.executedAt];
    if (ready.type !== "ready") throw refuse(side, `its first line is ${JSON.stringify(ready)}`);
    const { pid } = runner;
    return { pid, startMs, readyMs, ready, ...createTurns(runner, side, lines, options.operations) };
  } catch (error) {
    await runner.stop();
    throw error;
  }
}

function createTurns(
  runner: RunningProcess,
  side: RunnerSide,
  lines: LineQueue,
  operations: HostOperations,
): Pick<RunnerClient, "ask" | typeof Symbol.asyncDispose> {
  let lastId = 0;
  const ask = async (request: TurnRequest): Promise<TurnReport> => {
    const id = ++lastId;
    const logs: LogMessage[] = [];
    let caches: Record<string, string> = {};
    const line = `${JSON.stringify({ ...request, id })}\n`;
    const askedAt = performance.now();
    runner.stdin.write(line);
    for (;;) {
      const message = await lines.next();
      if (message.type === "hostRequest") send(runner, answerRequest(message, operations));
      else if (message.type === "log") logs.push(message);
      else if (message.type === "caches") caches = { ...caches, ...(message as CachesMessage).caches };
      else if (message.type === "ready") throw refuse(side, "it says ready twice");
      else return { answer: message, elapsedMs: performance.now() - askedAt, logs, caches };
    }
  };
  const dispose = async () => {
    // With its input it ends by itself, as it would with a host that is done.
    runner.stdin.end();
    await runner.stop();
  };
  return { ask, [Symbol.asyncDispose]: dispose };
}

function answerRequest(message: HostRequestMessage, operations: HostOperations): HostMessage {
  const { callback, request, operation, input } = message;
  const run = operations[operation];
  if (run === undefined) {
    const error = { code: "host_operation_denied", message: `${operation} is not granted` };
    return { type: "hostReply", callback, request, error };
  }
  return { type: "hostReply", callback, request, value: run(input) };
}

interface LineQueue {
  next(): Promise<RunnerMessage>;
}

/** The runner's lines, one after the other, for one reader. */
function createLineQueue(runner: RunningProcess, side: RunnerSide): LineQueue {
  const arrived: RunnerMessage[] = [];
  let wake: (() => void) | undefined;
  let end: string | undefined;
  let rest = "";
  runner.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    for (const part of parts) arrived.push(JSON.parse(part) as RunnerMessage);
    wake?.();
  });
  void runner.ended.then((how) => {
    end = how;
    wake?.();
  });
  return {
    async next() {
      while (arrived.length === 0) {
        if (end !== undefined) throw describeEnd(side, end, runner);
        const isSilent = await waitForWake((resolve) => {
          wake = resolve;
        });
        if (isSilent) throw describeSilence(side);
      }
      return arrived.shift()!;
    },
  };
}

/** True where nothing came for too long. */
async function waitForWake(register: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), silenceLimitMs);
    register(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

function send(runner: RunningProcess, message: HostMessage): void {
  runner.stdin.write(`${JSON.stringify(message)}\n`);
}

function describeEnd(side: RunnerSide, how: string, runner: RunningProcess): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_RUNNER_ENDED",
    message: `${side.name} ${how} before it answered\n${runner.readStderr()}`.trimEnd(),
    exitCode: exitCodes.external,
  });
}

function describeSilence(side: RunnerSide): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_RUNNER_SILENT",
    message: `${side.name} said nothing for ${silenceLimitMs / 1000} s`,
    exitCode: exitCodes.external,
  });
}

function refuse(side: RunnerSide, what: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_RUNNER_REFUSED",
    message: `${side.name}: ${what}`,
    exitCode: exitCodes.external,
  });
}
