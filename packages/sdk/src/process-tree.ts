import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runChild } from "./exec/spawn.ts";

/** Stands in the environment of an engine and of what it runs, so that both are found after a crash. */
export const markerVariable = "CODEX_JS_ENGINE_ID";

/** It has to be like no other, not secret: the crypto module takes longer to load than all of this. */
export function createMarker(): string {
  return [process.pid, Date.now(), Math.trunc(Math.random() * 2 ** 52)]
    .map((part) => part.toString(36))
    .join("-");
}

/** A process that no other one, before or after, is mistaken for. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the system's own words (clock ticks since boot, or a date). */
  startTime: string;
}

interface ProcessEntry extends ProcessIdentity {
  parentPid: number;
  groupId: number;
  /** 0 where the system does not say. */
  sessionId: number;
}

/** The identity of a running process; undefined when there is none or the system does not tell. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  const entry = process.platform === "linux" ? readProcEntry(pid) : (await listByPs([pid]))[0];
  return entry && { pid: entry.pid, startTime: entry.startTime };
}

/**
 * Everything an engine has started that is still there, the engine first if it is.
 *
 * Killing the engine's process group is not enough: it starts each MCP server in a group of its own and
 * each command in a session of its own. On Linux they are found by session and by marker even after the
 * engine is gone; elsewhere by group and, while the engine lives, by descent.
 */
export async function findEngineProcesses(
  engine: ProcessIdentity,
  marker: string,
): Promise<ProcessIdentity[]> {
  const entries = await listProcesses();
  const leader = entries.find(({ pid }) => pid === engine.pid);
  // Somebody else has that number now; then nobody of the old session is left, or it would be taken.
  const reused = leader !== undefined && leader.startTime !== engine.startTime;
  const found = new Map<number, ProcessIdentity>();
  if (!reused) {
    if (leader !== undefined) found.set(leader.pid, leader);
    for (const entry of entries) {
      if (entry.sessionId === engine.pid || entry.groupId === engine.pid) found.set(entry.pid, entry);
    }
  }
  if (process.platform === "linux") {
    for (const entry of entries) {
      const isYounger = Number(entry.startTime) >= Number(engine.startTime);
      if (isYounger && hasMarker(entry.pid, marker)) found.set(entry.pid, entry);
    }
  }
  addDescendants(entries, found);
  found.delete(process.pid);
  return [...found.values()].map(({ pid, startTime }) => ({ pid, startTime }));
}

/**
 * Kills an engine and everything it has started, until nothing of it is left (for a second at most: a
 * process that hangs in the kernel dies when the kernel lets it). Returns how many processes that were.
 */
export async function killEngineProcesses(engine: ProcessIdentity, marker: string): Promise<number> {
  const killed = new Set<number>();
  for (let look = 0; look < 100; look++) {
    const found = await findEngineProcesses(engine, marker);
    if (found.length === 0) break;
    for (const { pid } of found) {
      signalProcess(pid, "SIGKILL");
      killed.add(pid);
    }
    await sleep(10);
  }
  return killed.size;
}

/** Windows knows who started whom only while the engine lives, and no signal that it could answer. */
export async function killWindowsTree(pid: number): Promise<void> {
  await runChild("taskkill", ["/T", "/F", "/PID", String(pid)]);
}

/** Sends a signal; a process (or, below zero, a group) that is gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it ended meanwhile. EPERM: macOS says so of zombies.
  }
}

/**
 * Everything that `root` has started and that still hangs below it. Empty on Windows, see {@link killTree}.
 */
export async function readDescendants(root: number): Promise<ProcessIdentity[]> {
  const entries = await listProcesses();
  const found = new Map<number, ProcessIdentity>([[root, { pid: root, startTime: "" }]]);
  addDescendants(entries, found);
  found.delete(root);
  return [...found.values()];
}

/** How long what an engine has left behind may take to end when it is asked to. */
const termGraceMs = 500;

/** Ends those of `tree` that still live: asks them to, waits a little, then kills. */
export async function endSurvivors(tree: readonly ProcessIdentity[]): Promise<void> {
  let left = await signalSurvivors(tree, "SIGTERM");
  // A shell's cleanup removes locks that would hold up the next one.
  for (const deadline = Date.now() + termGraceMs; left.length > 0 && Date.now() < deadline; ) {
    await sleep(20);
    left = await signalSurvivors(left, undefined);
  }
  await signalSurvivors(left, "SIGKILL");
}

/** Kills `pid` and everything below it at once. */
export async function killTree(pid: number): Promise<void> {
  if (process.platform === "win32") return killWindowsTree(pid);
  const tree = await readDescendants(pid);
  signalProcess(pid, "SIGKILL");
  await signalSurvivors(tree, "SIGKILL");
}

/** Those of `tree` that live, after a signal if one is given. */
export async function signalSurvivors(
  tree: readonly ProcessIdentity[],
  signal: NodeJS.Signals | undefined,
): Promise<readonly ProcessIdentity[]> {
  if (tree.length === 0) return tree;
  const alive = new Map((await listProcesses()).map(({ pid, startTime }) => [pid, startTime]));
  const survivors = tree.filter(({ pid, startTime }) => alive.get(pid) === startTime);
  if (signal !== undefined) for (const { pid } of survivors) signalProcess(pid, signal);
  return survivors;
}

async function listProcesses(): Promise<ProcessEntry[]> {
  return process.platform === "linux" ? listProc() : listByPs();
}

/** Empty where `/proc` is not mounted. */
function readProcDir(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

function addDescendants(entries: readonly ProcessEntry[], found: Map<number, ProcessIdentity>): void {
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const entry of entries) if (found.has(entry.parentPid)) found.set(entry.pid, entry);
  }
}

/**
 * Reads at once and not in the background: /proc is no disk, and a hundred processes take about 1 ms so
 * and 10 ms through the thread pool.
 */
function listProc(): ProcessEntry[] {
  const pids = readProcDir()
    .map(Number)
    .filter((pid) => pid > 1);
  return pids.map(readProcEntry).filter((entry) => entry !== undefined);
}

function readProcEntry(pid: number): ProcessEntry | undefined {
  const stat = readProcFile(pid, "stat");
  return stat === undefined ? undefined : parseStat(pid, stat);
}

/** proc(5): `pid (name) state ppid …`, the start time is field 22. */
export function parseStat(pid: number, stat: string): ProcessEntry | undefined {
  // The name, in parentheses, may hold anything; after it come state (field 3) and numbers.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie holds nothing but its number, and nobody here can take that from it.
  if (fields[0] === "Z" || fields[0] === "X" || fields[19] === undefined) return undefined;
  const [parentPid, groupId, sessionId] = fields.slice(1, 4).map(Number) as [number, number, number];
  return { pid, parentPid, groupId, sessionId, startTime: fields[19] };
}

function hasMarker(pid: number, marker: string): boolean {
  return readProcFile(pid, "environ")?.split("\0").includes(`${markerVariable}=${marker}`) ?? false;
}

/** Undefined when the process has ended, or belongs to somebody else. */
function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return undefined;
  }
}

async function listByPs(pids?: readonly number[]): Promise<ProcessEntry[]> {
  if (process.platform === "win32") return [];
  const which = pids === undefined ? ["-ax"] : ["-p", pids.join(",")];
  const columns = ["-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart="];
  return parsePs(await runChild("ps", [...which, ...columns], { ...process.env, LC_ALL: "C" }));
}

/** Lines of pid, parent, group, state and start, the start with blanks in it. */
export function parsePs(output: string): ProcessEntry[] {
  return output.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (match === null || match[4]!.startsWith("Z")) return [];
    const [pid, parentPid, groupId] = match.slice(1, 4).map(Number) as [number, number, number];
    return [{ pid, parentPid, groupId, sessionId: 0, startTime: match[5]! }];
  });
}
