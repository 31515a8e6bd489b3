import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { identifyProcess } from "../process-tree.ts";

/**
 * Takes the lock under which a server is started or replaced; undefined while somebody alive has it. It
 * keeps many programs from starting many engines at once; should two ever get past it, the engine itself
 * refuses the second one ("control socket is already in use").
 */
export async function tryStartLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const self = await identifyProcess(process.pid);
  const content = JSON.stringify({ ...self, pid: process.pid, id: crypto.randomUUID() });
  const own = `${path}.${crypto.randomUUID()}`;
  // Linked into place, so that a lock is never seen without its content.
  await writeFile(own, content, { mode: 0o600, flag: "wx" });
  try {
    if (!(await tryLink(own, path))) {
      await removeStaleLock(path);
      if (!(await tryLink(own, path))) return undefined;
    }
  } finally {
    await rm(own, { force: true });
  }
  return async () => {
    if ((await readIfThere(path)) === content) await rm(path, { force: true });
  };
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Takes a dead program's lock away; moved first, for it may be another's by the time it is touched. */
async function removeStaleLock(path: string): Promise<void> {
  const content = await readIfThere(path);
  if (content === undefined || (await isHeld(content))) return;
  const moved = `${path}.${crypto.randomUUID()}`;
  try {
    await rename(path, moved);
  } catch {
    return;
  }
  if ((await readIfThere(moved)) !== content) await tryLink(moved, path);
  await rm(moved, { force: true });
}

async function isHeld(content: string): Promise<boolean> {
  try {
    const { pid, startTime } = JSON.parse(content);
    const holder = await identifyProcess(pid);
    return holder !== undefined && (startTime === undefined || holder.startTime === startTime);
  } catch {
    return false;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
