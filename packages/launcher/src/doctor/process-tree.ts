import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { readOutput } from "./start-process.ts";

export interface ProcessEntry {
  pid: number;
  parentPid: number;
  groupId: number;
  /** 0 where the system does not tell. */
  sessionId: number;
  /** Tells a process from a later one of the same pid; empty where the system does not tell. */
  startedAt: string;
  /** File name of the program. */
  name: string;
}

/**
 * Everything that `rootPid` has started, itself not included. Windows shows no such thing without a program
 * that takes longer than what is measured: the list is empty there.
 */
export async function listDescendants(rootPid: number): Promise<ProcessEntry[]> {
  // A pid of 0 is a process that never started; its "children" would be the whole system.
  if (rootPid <= 1) return [];
  const all = (await listProcesses()).filter(({ pid }) => pid !== process.pid);
  const known = new Set([rootPid]);
  for (let size = 0; size !== known.size; ) {
    size = known.size;
    for (const { pid, parentPid, sessionId } of all) {
      // Sessions find what has lost its parent; parents find what has made a session of its own.
      if (known.has(parentPid) || sessionId === rootPid) known.add(pid);
    }
  }
  return all.filter(({ pid }) => pid !== rootPid && known.has(pid)).map(withProgramName);
}

/** Whether it still runs; a zombie does not. */
export function isRunning({ pid, startedAt }: ProcessEntry): boolean {
  if (process.platform === "linux") {
    const now = readProc(pid);
    return now !== undefined && now.startedAt === startedAt;
  }
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Ends `rootPid`'s process group and each of `others` with its group, at once and for good. */
export async function killTree(rootPid: number, others: readonly ProcessEntry[]): Promise<void> {
  // Sent to -0, a signal would go to our own group.
  if (rootPid <= 1) return;
  if (process.platform === "win32") {
    await readOutput("taskkill", ["/pid", String(rootPid), "/t", "/f"]);
    return;
  }
  const running = others.filter(isRunning);
  // Only groups that lie within the tree: a process may have joined one that is not ours.
  const leaders = new Set([rootPid, ...running.map(({ pid }) => pid)]);
  for (const { pid, groupId } of running) kill(leaders.has(groupId) ? -groupId : pid);
  for (const { pid } of running) kill(pid);
  kill(-rootPid);
}

/** What Linux calls a process is what its first thread calls itself: `MainThread` for Node. */
function withProgramName(entry: ProcessEntry): ProcessEntry {
  if (process.platform !== "linux") return entry;
  try {
    return { ...entry, name: basename(readlinkSync(`/proc/${entry.pid}/exe`)) };
  } catch {
    return entry;
  }
}

function kill(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch {
    // Gone already.
  }
}

async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return parsePs(await readOutput("ps", psArgs));
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProc(Number(name)) ?? []) : []));
}

const psArgs = ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart=,comm="];

/** @internal */
export function parsePs(text: string): ProcessEntry[] {
  const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.+)$/;
  return text.split("\n").flatMap((one) => {
    const [, pid, parentPid, groupId, state, startedAt, command] = line.exec(one) ?? [];
    if (command === undefined || state?.startsWith("Z")) return [];
    return {
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      sessionId: 0,
      startedAt: startedAt!,
      name: basename(command.trim()),
    };
  });
}

function readProc(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in parentheses and may hold any character, parentheses and blanks included.
    const end = stat.lastIndexOf(")");
    const fields = stat.slice(end + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid,
      parentPid: Number(fields[1]),
      groupId: Number(fields[2]),
      sessionId: Number(fields[3]),
      startedAt: fields[19] ?? "",
      name: stat.slice(stat.indexOf("(") + 1, end),
    };
  } catch {
    return undefined;
  }
}
