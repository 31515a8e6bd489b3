import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { identifyProcess } from "../../process-tree.ts";

/**
 * Takes the lock under which a server is started or replaced; undefined while somebody alive has it. It
 * keeps many programs from starting many engines at once; should two ever get past it, the engine itself
 * refuses the second one ("control socket is already in use").
 */
export async function tryStartLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const { startTime } = (await identifyProcess(process.pid)) ?? {};
  const content = JSON.stringify({ pid: process.pid, startTime, id: crypto.randomUUID() });
  const own = `${path}.${crypto.randomUUID()}`;
  await writeFile(own, content, { mode: 0o600, flag: "wx" });
  const isTaken = await acquire(path, own).finally(() => rm(own, { force: true }));
  if (!isTaken) return undefined;
  return async () => {
    if ((await readIfThere(path)) === content) await rm(path, { force: true });
  };
}

/**
 * Puts `own` in the lock's place: linked, so that a lock is never seen without its content. A dead program's
 * lock is replaced in one step, by the one program that holds the right to replace this very lock; that
 * right is a lock too, for its holder may be killed as well.
 */
async function acquire(path: string, own: string): Promise<boolean> {
  if (await tryLink(own, path)) return true;
  const content = await readIfThere(path);
  if (content === undefined) return false;
  const holder = parseHolder(content);
  if (await isRunning(holder)) return false;
  const right = `${path}.${holder.id}`;
  if (!(await acquire(right, own))) return false;
  // Another one may have had the right, and used it, before.
  const isSame = (await readIfThere(path)) === content;
  if (isSame) await rename(right, path);
  else await rm(right, { force: true });
  return isSame;
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

interface Holder {
  pid: number;
  startTime?: string;
  id: string;
}

/** A damaged lock is nobody's. */
function parseHolder(content: string): Holder {
  try {
    const holder = JSON.parse(content) as Holder;
    if (Number.isSafeInteger(holder.pid) && /^[\w-]+$/.test(holder.id)) return holder;
  } catch {}
  return { pid: 0, id: "damaged" };
}

async function isRunning({ pid, startTime }: Holder): Promise<boolean> {
  const process = pid > 0 ? await identifyProcess(pid) : undefined;
  return process !== undefined && (startTime === undefined || process.startTime === startTime);
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
