import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTempDir } from "@codex-js/cli-kit";
import type { FakeEngineStep } from "./steps.ts";

/** What starts a rule of the app-server mode. */
export type AppServerTrigger =
  /** A request or notification with this method. */
  | { method: string }
  /** The client's answer to `step.request` with this id. */
  | { answerTo: number | string }
  /** The process has started; stdin has ended. */
  | { event: "start" | "end" };

export interface AppServerRule {
  on: AppServerTrigger;
  /** How often the rule applies before the next one with the same trigger does; default always. */
  times?: number;
  /** Run in order; rules that wait do not hold up other messages. An empty list ignores the message. */
  do: FakeEngineStep[];
}

/**
 * What the executable does. `app-server` among its arguments selects the rules, anything else the exec
 * steps, after which it exits 0. In app-server mode, `initialize` without a rule is answered, any other
 * request without one gets error -32600, and the end of stdin ends the process with code 0.
 */
export interface FakeEngineScript {
  /** Steps of every exec call. */
  exec?: FakeEngineStep[];
  /** Steps of the first, second, … call; the last list serves all further ones. Wins over `exec`. */
  execByCall?: FakeEngineStep[][];
  appServer?: AppServerRule[];
}

export interface FakeEngineOptions {
  /** File name of the executable; default `codex`. */
  name?: string;
}

export interface FakeEngineCall {
  /** Without the executable. */
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  pid: number;
  /** What was read of stdin, so far or in all. */
  stdin: string;
  /** Signals that came after `step.ignoreSignals` named them. */
  signals: string[];
}

export interface FakeEngine extends AsyncDisposable {
  /** Absolute; starts by spawn without a shell. */
  readonly executablePath: string;
  /** Every start of the executable, in order. */
  calls(): Promise<FakeEngineCall[]>;
  /** Lets `step.waitForTrigger(name)` go on, in every process and for good. */
  trigger(name: string): Promise<void>;
  /** Resolves when some process has reached `step.mark(name)`. */
  waitForMark(name: string, signal?: AbortSignal): Promise<void>;
  /** The pid of `step.spawnStubbornChild(name)`; undefined before it is up. */
  childPid(name: string): Promise<number | undefined>;
  /** Kills the stubborn children that are left and removes all files. */
  remove(): Promise<void>;
}

/** Linux cuts a hashbang line after 127 bytes on kernels before 5.1. */
const maxHashbangPath = 120;

/**
 * Writes an executable that plays the engine by `script`, for the faults that the real engine cannot be
 * told to make. POSIX only: Windows starts no script without a shell, so tests skip there.
 */
export async function createFakeEngine(
  script: FakeEngineScript,
  options: FakeEngineOptions = {},
): Promise<FakeEngine> {
  const temp = await createTempDir("codex-js-engine");
  const dir = temp.path;
  for (const name of ["calls", "marks", "pids", "triggers"]) await mkdir(join(dir, name));
  await writeFile(join(dir, "script.json"), JSON.stringify(script));
  // A package.json above the temp folder may make files without an extension ES modules.
  await writeFile(join(dir, "package.json"), '{"type":"commonjs"}');
  const executablePath = join(dir, options.name ?? "codex");
  const program = await readFile(new URL("./program.cjs", import.meta.url), "utf8");
  await writeFile(executablePath, `#!${await findInterpreter(dir)}\n${program}`);
  await chmod(executablePath, 0o755);

  const remove = async () => {
    await killChildren(dir);
    await temp.remove();
  };
  return {
    executablePath,
    calls: () => readCalls(dir),
    trigger: (name) => writeFile(join(dir, "triggers", name), ""),
    waitForMark: async (name, signal) => {
      while (!existsSync(join(dir, "marks", name))) await sleep(5, undefined, signal ? { signal } : {});
    },
    childPid: (name) => readPid(join(dir, "pids", name)),
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** A hashbang line takes no spaces and not any length: a link in the engine's folder has neither. */
async function findInterpreter(dir: string): Promise<string> {
  if (!/\s/.test(process.execPath) && process.execPath.length <= maxHashbangPath) return process.execPath;
  const link = join(dir, "node");
  await symlink(process.execPath, link);
  return link;
}

async function readCalls(dir: string): Promise<FakeEngineCall[]> {
  const names = (await readdir(join(dir, "calls"))).map(Number).sort((a, b) => a - b);
  const calls = await Promise.all(names.map((name) => readCall(join(dir, "calls", String(name)))));
  return calls.filter((call) => call !== undefined);
}

/** Undefined for a process that has only just started. */
async function readCall(dir: string): Promise<FakeEngineCall | undefined> {
  const call = await readIfThere(join(dir, "call.json"));
  if (call === undefined) return undefined;
  const stdin = (await readIfThere(join(dir, "stdin"))) ?? "";
  const signals = (await readIfThere(join(dir, "signals"))) ?? "";
  return { ...JSON.parse(call), stdin, signals: signals.split("\n").filter((line) => line !== "") };
}

async function readPid(file: string): Promise<number | undefined> {
  const text = await readIfThere(file);
  return text === undefined ? undefined : Number(text);
}

async function killChildren(dir: string): Promise<void> {
  for (const name of await readdir(join(dir, "pids")).catch(() => [])) {
    const pid = await readPid(join(dir, "pids", name));
    if (pid !== undefined) killIfAlive(pid);
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone, which is what the tests of our own clients want.
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
