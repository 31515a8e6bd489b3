import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createCodexHome,
  type MockModelOptions,
  type MockModelRequest,
  reply,
  startMockModel,
} from "@codex-js/testkit/mock-model";
import { resolveEngine } from "../../src/exec/find-installed-engine.ts";
import {
  Codex,
  type CodexOptions,
  type Input,
  type Thread,
  type ThreadOptions,
  type TurnOptions,
} from "../../src/index.ts";

const run = promisify(execFile);

export type TransportName = "exec" | "app-server";
export const transportNames: TransportName[] = ["exec", "app-server"];

/** A program that uses the SDK; it is run once over each transport. */
export interface Scenario {
  respond?: MockModelOptions["respond"];
  /** Lines for config.toml. */
  toml?: string | ((place: Place) => string);
  codex?: CodexOptions | ((place: Place) => CodexOptions);
  thread?: ThreadOptions | ((place: Place) => ThreadOptions);
  /** Default: one turn with the prompt `hello`. */
  program?: (use: Program) => Promise<void>;
}

/** Where a scenario takes place. */
export interface Place {
  dir: string;
  /** A git repository, and the working directory unless a thread has its own. */
  workDir: string;
  homeDir: string;
  modelUrl: string;
}

interface Program extends Place {
  codex: Codex;
  /** A client of its own on the same home. */
  createCodex(): Codex;
  threadOptions: ThreadOptions;
  startThread(options?: ThreadOptions): Thread;
  resumeThread(id: string, options?: ThreadOptions): Thread;
  /** Runs a turn, event by event, and writes down what is seen of it. */
  stream(thread: Thread, input?: Input, options?: StreamOptions): Promise<void>;
  /** Runs a turn by `run()`, and writes down what it returns. */
  run(thread: Thread, input?: Input, options?: TurnOptions): Promise<void>;
  /** Resolves when the model has been asked that often. */
  asked(times?: number): Promise<void>;
  /** Runs a turn on a thread by `codex exec` in a process of its own; writes down its exit code. */
  runElsewhere(threadId: string): Promise<void>;
  /** Writes down something else that has to be equal. */
  note(what: unknown): void;
}

interface StreamOptions extends TurnOptions {
  onEvent?: (event: { type: string }) => Promise<"leave" | undefined>;
}

export interface Outcome {
  /** What the program saw. */
  seen: unknown[];
  requests: readonly MockModelRequest[];
}

export async function runScenario(transport: TransportName, scenario: Scenario): Promise<Outcome> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-both-")));
  const asking = new EventEmitter();
  await using model = await startMockModel({
    respond: (request, index) => {
      asking.emit("asked");
      return scenario.respond?.(request, index) ?? reply.message(`mock: ${request.userTexts.at(-1)}`);
    },
  });
  const place: Place = {
    dir,
    workDir: join(dir, "work"),
    homeDir: join(dir, "home"),
    modelUrl: model.baseUrl,
  };
  const resolve = <T extends object>(value: T | ((place: Place) => T) | undefined): T =>
    (typeof value === "function" ? value(place) : (value ?? {})) as T;
  const toml = typeof scenario.toml === "function" ? scenario.toml(place) : scenario.toml;
  const home = await createCodexHome(model, {
    dir: place.homeDir,
    ...(toml === undefined ? {} : { extraToml: toml }),
  });
  await mkdir(place.workDir);
  await run("git", ["init", "--quiet", place.workDir]);

  const { RUST_BACKTRACE: _, ...inherited } = process.env as Record<string, string>;
  const options = resolve(scenario.codex);
  const env = { ...inherited, HOME: dir, ...home.env, ...options.env };
  const clients: Codex[] = [];
  const createCodex = () => {
    const codex = new Codex({ ...options, env, transport });
    clients.push(codex);
    return codex;
  };
  const codex = createCodex();
  const threadOptions = { workingDirectory: place.workDir, ...resolve(scenario.thread) };
  const seen: unknown[] = [];
  const program: Program = {
    ...place,
    codex,
    createCodex,
    threadOptions,
    startThread: (own = {}) => codex.startThread({ ...threadOptions, ...own }),
    resumeThread: (id, own = {}) => codex.resumeThread(id, { ...threadOptions, ...own }),
    asked: async (times = 1) => {
      while (model.requests.length < times) await once(asking, "asked");
    },
    runElsewhere: async (threadId) => {
      const { executablePath } = resolveEngine({});
      const child = run(executablePath, ["exec", "resume", threadId, "two"], { cwd: place.workDir, env });
      child.child.stdin?.end();
      seen.push(
        await child.then(
          () => 0,
          ({ code }) => code,
        ),
      );
    },
    note: (what) => void seen.push(what),
    run: async (thread, input = "hello", turn = {}) => {
      const result = await thread.run(input, turn).catch(describeError);
      seen.push({ result, id: thread.id });
    },
    stream: async (thread, input = "hello", { onEvent, ...turn } = {}) => {
      const events: unknown[] = [];
      const read = async () => {
        for await (const event of (await thread.runStreamed(input, turn)).events) {
          events.push(event);
          if ((await onEvent?.(event)) === "leave") break;
        }
      };
      const error = await read().then(() => undefined, describeError);
      seen.push({ events, error, id: thread.id });
    },
  };
  try {
    await (scenario.program ?? (({ stream, startThread }) => stream(startThread())))(program);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    seen.push({ "config.toml": await readFile(join(place.homeDir, "config.toml"), "utf8") });
    seen.push({ home: (await readdir(place.homeDir)).filter((name) => name === "auth.json") });
    await home.remove();
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  return normalize({ seen, requests: [...model.requests] }, place);
}

function describeError(error: unknown): object {
  const { name, code, message, exitCode, signal, cause } = error as Record<string, unknown>;
  return { name, code, message, exitCode, signal, cause: code === "ABORT_ERR" ? String(cause) : undefined };
}

/** Reads what the engine's record of a thread says of its origin. */
export function createSessionReader(homeDir: string) {
  return async (threadId: string): Promise<Record<string, unknown>> => {
    const files = await readdir(join(homeDir, "sessions"), { recursive: true });
    const file = files.find((name) => name.includes(threadId))!;
    const [first] = (await readFile(join(homeDir, "sessions", file), "utf8")).split("\n");
    return JSON.parse(first!).payload;
  };
}

/** Replaces what is new with every run: places, ids, ports. Ids are numbered, so that equal ones stay equal. */
function normalize<T>(value: T, { dir, modelUrl }: Pick<Place, "dir" | "modelUrl">): T {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value)
    .replaceAll(modelUrl, "MODEL")
    .replaceAll(dir, "DIR")
    .replace(/(Chunk ID:|Wall time:|session ID) [\da-f.]+/g, "$1 …")
    // Of a crash it is where and how that counts, not what had gone to stderr before.
    .replace(/(exited with signal \w+: )(?:[^"\\]|\\.)*/g, "$1…")
    .replace(/WARNING: proceeding, even though we could not create PATH aliases:.*?\\n/g, "")
    .replace(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `ID${ids.size}`);
      return ids.get(id)!;
    });
  return JSON.parse(text);
}

/** What of a request to the model a program can influence. */
export function describeRequest({ body, headers }: MockModelRequest): object {
  const { input, tools, model, reasoning, text, instructions } = body as {
    input: { type: string; role?: string; content?: unknown; output?: unknown }[];
    tools: { type: string; name?: string }[];
    [key: string]: unknown;
  };
  const metadata = JSON.parse(headers["x-codex-turn-metadata"] ?? "{}");
  return {
    model,
    reasoning,
    text,
    instructions,
    tools,
    input: input.map(({ type, role, content, output }) => ({ type, role, content, output })),
    originator: headers.originator,
    authorization: headers.authorization,
    userAgent: headers["user-agent"]?.replace(/ \([^()]*\)$/, ""),
    metadata: Object.fromEntries(
      ["thread_source", "turn_trigger", "sandbox", "sandbox_mode", "request_kind"].map((name) => [
        name,
        metadata[name],
      ]),
    ),
  };
}
