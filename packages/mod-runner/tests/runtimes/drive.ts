// Runs on Node and on Bun, in a process of its own: uses the built library as argv says, prints JSON.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import type { ModHost, ModHostEvent, ModHostOptions, ModLog, ModServer } from "../../src/index.ts";

/** What to do, as JSON in argv. */
export interface Drive {
  /** URL of the library's built module. */
  library: string;
  host: Omit<ModHostOptions, "operations" | "onLog" | "onEvent">;
  /** Operations by name: what they return. */
  operations?: Record<string, DriveOperation>;
  mod: string | { files: Record<string, string> };
  calls: DriveCall[];
  /** Where the ids of the runners are written, a line each. */
  pidFile?: string;
  /** Leaves the host open at the end. */
  leavesOpen?: boolean;
}

type DriveOperation =
  | { value: unknown }
  /** As long as so many bytes. */
  | { bytes: number }
  | { throws: string }
  /** A HostOperationError. */
  | { fails: { code: string; message: string } }
  /** The input. */
  | { echo: true }
  /** Never settles; the file is written when its signal is aborted. */
  | { hangs: string; touch?: string }
  /** Kills the runner that is busy. */
  | { killsRunner: true };

export interface DriveCall {
  hook?: string;
  input?: unknown;
  budgetMs?: number;
  /** Aborts before the call, or when that file is there. */
  abort?: "before" | { onFile: string };
  /** Serve mode: on one server for all calls. */
  render?: boolean;
  /** Calls at a time; the outcomes are counted by code. */
  times?: number;
  /** Closes the host when that file is there. */
  closeOnFile?: string;
  /** Ends this process by `process.exit()`, or SIGKILL, when that file is there. */
  endOnFile?: { path: string; how: "exit" | "kill" };
}

interface DriveOutcome {
  value?: unknown;
  stats?: Record<string, unknown>;
  error?: Record<string, unknown>;
  /** With `times`: how many ended with each code, or with `ok`. */
  counts?: Record<string, number>;
}

export interface DriveResult {
  outcomes: DriveOutcome[];
  logs: ModLog[];
  events: ModHostEvent[];
  loadError?: Record<string, unknown>;
  counts: ModHost["counts"];
}

const drive: Drive = JSON.parse(process.argv[2] ?? "");
const { createModHost, HostOperationError }: typeof import("../../src/index.ts") = await import(
  drive.library
);
const logs: ModLog[] = [];
const events: ModHostEvent[] = [];
const outcomes: DriveOutcome[] = [];
const pids = new Set<number>();

const host = createModHost({
  ...drive.host,
  operations: Object.fromEntries(Object.entries(drive.operations ?? {}).map(createOperation)),
  onLog: (log) => logs.push(log),
  onEvent: (event) => {
    events.push(event);
    if (event.type === "runner-started") {
      pids.add(event.pid);
      if (drive.pidFile !== undefined) appendFileSync(drive.pidFile, `${event.pid}\n`);
    }
    if (event.type === "runner-ended") pids.delete(event.pid);
  },
});

const result: DriveResult = { outcomes, logs, events, counts: host.counts };
try {
  const mod = await host.load(drive.mod);
  let server: ModServer | undefined;
  for (const call of drive.calls) {
    outcomes.push(await perform(call));
  }
  await server?.close();

  async function perform(call: DriveCall): Promise<DriveOutcome> {
    if (call.times === undefined) return performOne(call);
    const all = await Promise.all(Array.from({ length: call.times }, () => performOne(call)));
    const counts: Record<string, number> = {};
    for (const { error } of all) {
      const code = error === undefined ? "ok" : String(error.code);
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return { counts };
  }

  async function performOne(call: DriveCall): Promise<DriveOutcome> {
    const abort = new AbortController();
    if (call.abort === "before") abort.abort(new Error("enough"));
    else if (call.abort !== undefined) whenThere(call.abort.onFile, () => abort.abort(new Error("enough")));
    if (call.closeOnFile !== undefined) whenThere(call.closeOnFile, () => void host.close());
    if (call.endOnFile !== undefined) whenThere(call.endOnFile.path, () => endProcess(call.endOnFile!.how));
    const { hook = "main", input = null, budgetMs } = call;
    const options = { signal: abort.signal, ...(budgetMs === undefined ? {} : { budgetMs }) };
    try {
      if (call.render) server ??= await mod.serve(options);
      const { value, stats } = await (call.render
        ? server!.render(hook, input, options)
        : mod.run(hook, input, options));
      return { value, stats: { ...stats } };
    } catch (error) {
      return { error: describe(error) };
    }
  }
} catch (error) {
  result.loadError = describe(error);
}
result.counts = host.counts;
if (!drive.leavesOpen) await host.close();
process.stdout.write(JSON.stringify(result));

function describe(error: unknown): Record<string, unknown> {
  const { name, message, stack, cause, ...fields } = error as Error & Record<string, unknown>;
  return { ...fields, name, message, stack, ...(cause === undefined ? {} : { cause: String(cause) }) };
}

function createOperation([name, operation]: [string, DriveOperation]) {
  const perform = (input: unknown, { signal }: { signal: AbortSignal }) => {
    if ("value" in operation) return operation.value;
    if ("bytes" in operation) return "x".repeat(operation.bytes);
    if ("throws" in operation) throw new Error(operation.throws);
    if ("fails" in operation) throw new HostOperationError(operation.fails.code, operation.fails.message);
    if ("echo" in operation) return input;
    if ("killsRunner" in operation) {
      for (const pid of pids) process.kill(pid, "SIGKILL");
      return new Promise(() => {});
    }
    writeFileSync(operation.hangs, "");
    if (operation.touch !== undefined)
      signal.addEventListener("abort", () => writeFileSync(operation.touch!, ""));
    return new Promise(() => {});
  };
  return [name, perform] as const;
}

function endProcess(how: "exit" | "kill"): void {
  if (how === "kill") process.kill(process.pid, "SIGKILL");
  else process.exit(0);
}

function whenThere(file: string, then: () => void): void {
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    then();
  }, 10);
  timer.unref();
}
