import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { identifyProcess, killEngineProcesses, type ProcessIdentity } from "./process-tree.ts";

// Written and read at once and not in the background: these are a few small files, and an engine that was
// just started must not run unrecorded while a thread pool gets round to it.

/** One running engine on disk, for the case that its host is killed before it can end it. */
interface OrphanRecord {
  version: 1;
  engine: ProcessIdentity;
  marker: string;
  host: ProcessIdentity;
}

/** Where records are kept unless a folder is named; one for each user. */
export function defaultRecordDir(): string {
  return join(tmpdir(), `codex-js-engines-${userInfo().username.replace(/\W/g, "_")}`);
}

/**
 * Writes down an engine that this process has just started; returns a function that removes the record.
 * Does nothing where the system does not tell processes apart (Windows), or the folder is not ours alone.
 */
export async function recordEngine(
  dir: string,
  identity: Promise<ProcessIdentity | undefined>,
  marker: string,
): Promise<() => void> {
  const nothing = () => {};
  const [engine, host] = await Promise.all([identity, identifyProcess(process.pid)]);
  if (engine === undefined || host === undefined || !ensurePrivateDir(dir)) return nothing;
  const file = join(dir, `${marker}.json`);
  const record: OrphanRecord = { version: 1, engine, marker, host };
  try {
    writeFileSync(file, JSON.stringify(record), { mode: 0o600, flag: "wx" });
  } catch {
    // A full or read-only disk must not keep an engine from running.
    return nothing;
  }
  return () => rmSync(file, { force: true });
}

/** Ends what engines of killed hosts have left behind; returns how many processes that were. */
export async function reapOrphans(dir: string): Promise<number> {
  if (!isPrivateDir(dir)) return 0;
  const files = readdirSync(dir).filter((file) => file.endsWith(".json"));
  const killed = await Promise.all(files.map((file) => reapOrphan(join(dir, file))));
  return killed.reduce((sum, count) => sum + count, 0);
}

async function reapOrphan(file: string): Promise<number> {
  const record = readRecord(file);
  if (record === "unreadable") return 0;
  if (record !== "invalid") {
    const host = await identifyProcess(record.host.pid);
    if (host?.startTime === record.host.startTime) return 0;
    const killed = await killEngineProcesses(record.engine, record.marker);
    rmSync(file, { force: true });
    return killed;
  }
  rmSync(file, { force: true });
  return 0;
}

function readRecord(file: string): OrphanRecord | "unreadable" | "invalid" {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return "unreadable";
  }
  // Its writer may be in the middle of it.
  if (text === "") return "unreadable";
  try {
    const record = JSON.parse(text) as OrphanRecord;
    const isIdentity = (value: Partial<ProcessIdentity> | undefined) =>
      Number.isSafeInteger(value?.pid) && value!.pid! > 1 && typeof value!.startTime === "string";
    const isValid =
      record.version === 1 &&
      isIdentity(record.engine) &&
      isIdentity(record.host) &&
      /^[\w-]{8,80}$/.test(record.marker);
    return isValid ? record : "invalid";
  } catch {
    return "invalid";
  }
}

function ensurePrivateDir(dir: string): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  return isPrivateDir(dir);
}

/** Whoever can write into the folder decides what gets killed: it must be ours, and no link. */
function isPrivateDir(dir: string): boolean {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return false;
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0);
}
