import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AppServerClient, type SharedClientOptions } from "../../../src/app-server/client.ts";
import type { EngineCommand } from "../../../src/app-server/engine-child.ts";
import { readServerRecord, type ServerRecord } from "../../../src/app-server/shared/server-record.ts";
import { openSharedPlace, type SharedPlace } from "../../../src/app-server/shared/shared-place.ts";
import { signalProcess } from "../../../src/process-tree.ts";
import { createFixture, type Fixture, isAlive, until } from "../engine-fixture.ts";
import type { ProgramReport, ProgramTask } from "./shared-program.ts";

const bun = join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe");
const runtimes = { node: process.execPath, bun };
type Options = Partial<Omit<SharedClientOptions, "command">>;

interface Program {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  report: Promise<ProgramReport>;
  /** Lets it go on to its end, and waits for that. */
  leave(): Promise<void>;
}

export interface SharedFixture extends AsyncDisposable {
  base: Fixture;
  place: SharedPlace;
  options: { stateDir: string; engineVersion: string; idleTimeoutMs: number };
  createClient(options?: Options, command?: EngineCommand): AppServerClient;
  /** A program of its own that joins, or that starts a turn. */
  startProgram(runtime: keyof typeof runtimes, turn?: ProgramTask["turn"]): Program;
  record(): Promise<ServerRecord | undefined>;
  /** Resolves when no process of the shared server is left. */
  ended(): Promise<void>;
  /** What is left of it on disk, but for the log. */
  leftovers(): Promise<string[]>;
}

/** A CODEX_HOME of its own whose shared server, if there is one, is ended at the end. */
export async function createSharedFixture(): Promise<SharedFixture> {
  const base = await createFixture();
  const options = { stateDir: join(base.dir, "state"), engineVersion: "0.171.0", idleTimeoutMs: 60_000 };
  const place = await openSharedPlace(base.command().env, options.stateDir);
  const clients: AppServerClient[] = [];
  const programs: Program[] = [];
  const record = () => readServerRecord(place.recordPath);
  const ended = () => until(() => listProcesses(place.dir).length === 0);
  return {
    base,
    place,
    options,
    record,
    ended,
    leftovers: async () => (await readdir(place.dir)).filter((name) => name !== "log"),
    createClient: (more = {}, command = base.command()) => {
      const client = AppServerClient.overShared({
        command: () => command,
        introduction: { clientInfo: { name: "codex_js_test", title: null, version: "1" } },
        ...options,
        ...more,
      });
      clients.push(client);
      return client;
    },
    startProgram: (runtime, turn) => {
      const task: ProgramTask = { command: base.command(), options, ...(turn && { turn }) };
      const program = startProgram(runtimes[runtime], task);
      programs.push(program);
      return program;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close()));
      for (const { child } of programs) child.kill("SIGKILL");
      await endServer(place.dir, (await record())?.pid);
      await base[Symbol.asyncDispose]();
    },
  };
}

function startProgram(file: string, task: ProgramTask): Program {
  const script = join(import.meta.dirname, "shared-program.ts");
  const child = spawn(file, [script, JSON.stringify(task)], { stdio: ["pipe", "pipe", "pipe"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const report = new Promise<ProgramReport>((resolve, reject) => {
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.endsWith("\n")) resolve(JSON.parse(stdout));
    });
    closed.then(() => reject(new Error(`the program ended without a report: ${stderr}`)));
  });
  report.catch(() => {});
  return {
    child,
    report,
    leave: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** In order, so that the engine removes its socket; the second signal ends running turns. */
async function endServer(dir: string, pid: number | undefined): Promise<void> {
  const deadline = Date.now() + 3_000;
  for (let look = 0; listProcesses(dir).length > 0; look++) {
    if (pid !== undefined && look < 2) signalProcess(pid, "SIGTERM");
    if (pid === undefined || Date.now() > deadline) {
      for (const left of listProcesses(dir)) signalProcess(left, "SIGKILL");
    }
    await sleep(100);
  }
}

/** Everything that has the folder on its command line: the supervisor, its watcher, the one that starts that again, and the engine. */
export function listProcesses(dir: string): number[] {
  const output = execFileSync("ps", ["-axww", "-o", "pid=", "-o", "command="], { encoding: "utf8" });
  return output.split("\n").flatMap((line) => {
    const isServer =
      line.includes(dir) && !line.includes("shared-program") && isAlive(Number.parseInt(line, 10));
    return isServer ? [Number.parseInt(line, 10)] : [];
  });
}
