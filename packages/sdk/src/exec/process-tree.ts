import { readdirSync, readFileSync } from "node:fs";
import { runChild } from "./spawn.ts";

/** One process of the machine. */
interface ProcessEntry {
  pid: number;
  parent: number;
  /** Tells a process from a later one that got the same pid. */
  startedAt: string;
}

/** How long what an engine has left behind may take to end when it is asked to. */
const termGraceMs = 500;

/** Processes below one, as they were at some moment. */
export type ProcessTree = readonly ProcessEntry[];

/**
 * Everything that `root` has started and that still hangs below it. The engine gives each of its tools
 * a session of its own, so no process group holds them together. Empty on Windows, see `killTree`.
 */
export async function readDescendants(root: number): Promise<ProcessTree> {
  const all = await listProcesses();
  const found: ProcessEntry[] = [];
  for (let parents = new Set([root]); parents.size > 0; ) {
    const children = all.filter(({ parent, pid }) => parents.has(parent) && pid !== root);
    found.push(...children);
    parents = new Set(children.map(({ pid }) => pid));
  }
  return found;
}

/** Ends those of `tree` that still live: asks them to, waits a little, then kills. */
export async function endSurvivors(tree: ProcessTree): Promise<void> {
  let left = await signalSurvivors(tree, "SIGTERM");
  // A shell's cleanup removes locks that would hold up the next one.
  for (const deadline = Date.now() + termGraceMs; left.length > 0 && Date.now() < deadline; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = await signalSurvivors(left, undefined);
  }
  await signalSurvivors(left, "SIGKILL");
}

/** Those of `tree` that live, after a signal if one is given. */
async function signalSurvivors(tree: ProcessTree, signal: NodeJS.Signals | undefined): Promise<ProcessTree> {
  if (tree.length === 0) return tree;
  const alive = new Map((await listProcesses()).map(({ pid, startedAt }) => [pid, startedAt]));
  const survivors = tree.filter(({ pid, startedAt }) => alive.get(pid) === startedAt);
  if (signal !== undefined) for (const { pid } of survivors) killQuietly(pid, signal);
  return survivors;
}

/** Kills `pid` and everything below it at once. */
export async function killTree(pid: number): Promise<void> {
  if (process.platform === "win32") {
    await runChild("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return;
  }
  const tree = await readDescendants(pid);
  killQuietly(pid, "SIGKILL");
  await signalSurvivors(tree, "SIGKILL");
}

/** Sends a signal to a process that may be gone already. */
export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or somebody else's by now.
  }
}

async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === "linux") return readProc();
  if (process.platform === "win32") return [];
  return parsePs(await runChild("ps", ["-A", "-o", "pid=,ppid=,lstart="]));
}

/** From the kernel: slim images have no `ps`. Empty where `/proc` is not mounted. */
function readProc(): ProcessEntry[] {
  const names = ignoreErrors(() => readdirSync("/proc")) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // A process that has ended meanwhile has no file.
      const stat = ignoreErrors(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
      return stat === undefined ? [] : parseStat(Number(pid), stat);
    });
}

function ignoreErrors<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** proc(5): `pid (name) state ppid …`, the start time is field 22; the name may hold anything. */
export function parseStat(pid: number, stat: string): ProcessEntry[] {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, startedAt] = [fields[0], fields[1], fields[19]];
  if (state === "Z" || parent === undefined || startedAt === undefined) return [];
  return [{ pid, parent: Number(parent), startedAt }];
}

/** Lines of `pid ppid start`, the start with blanks in it. */
export function parsePs(output: string): ProcessEntry[] {
  return [...output.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/gm)].map(([, pid, parent, startedAt]) => ({
    pid: Number(pid),
    parent: Number(parent),
    startedAt: startedAt!,
  }));
}
