import { readdirSync, readFileSync } from "node:fs";
import { parseStat, type Stat } from "./proc-text.ts";

export interface ProcessEntry extends Stat {
  pid: number;
}

/** Every process that can be seen; ones that end meanwhile are left out. */
export function listProcesses(): ProcessEntry[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = readProcFile(`/proc/${name}/stat`);
      return text === undefined ? [] : [{ pid: Number(name), ...parseStat(text) }];
    });
}

/**
 * `roots` and everything that descends from them or is in a session that one of them leads, by root. A
 * zombie has no memory left and is not counted.
 */
export function findDescendants(
  roots: readonly number[],
  all: readonly ProcessEntry[],
): Map<number, ProcessEntry[]> {
  const byPid = new Map(all.map((entry) => [entry.pid, entry]));
  const found = new Map<number, ProcessEntry[]>(roots.map((root) => [root, []]));
  for (const entry of all) {
    if (entry.zombie) continue;
    const root = findRoot(entry, found, byPid);
    if (root !== undefined) found.get(root)!.push(entry);
  }
  return found;
}

function findRoot(
  entry: ProcessEntry,
  roots: ReadonlyMap<number, unknown>,
  byPid: ReadonlyMap<number, ProcessEntry>,
): number | undefined {
  for (let at: ProcessEntry | undefined = entry; at !== undefined; at = byPid.get(at.parentPid)) {
    if (roots.has(at.pid)) return at.pid;
    if (roots.has(at.sessionId)) return at.sessionId;
  }
  return undefined;
}

/** Processes whose environment has this line, `CODEX_HOME=/…`: nothing that got away is overlooked. */
export function findByEnvironment(line: string, all: readonly ProcessEntry[]): ProcessEntry[] {
  return all.filter(({ pid, zombie }) => {
    if (zombie) return false;
    return readProcFile(`/proc/${pid}/environ`)?.split("\0").includes(line) === true;
  });
}

/** Undefined when the process is gone or belongs to somebody else. */
export function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
