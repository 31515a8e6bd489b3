import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { exitCodes, isProcessAlive, ToolError } from "@codex-js/cli-kit";
import type { KeptDir } from "./kept-dir.ts";

interface LockHolder {
  pid: number;
  startedAt: string;
}

/**
 * Takes the lock file for as long as the result lives. A lock whose process is gone is taken over, so a
 * killed release never stands in the way of the next one.
 * @param flag the option that names the folder of the lock
 * @throws ToolError CODEX_JS_RELEASE_LOCKED (external) while another release runs
 */
export async function takeLock(file: string, now: Date, flag: KeptDir["flag"]): Promise<AsyncDisposable> {
  const content = `${JSON.stringify({ pid: process.pid, startedAt: now.toISOString() })}\n`;
  const own = `${file}.${process.pid}`;
  await writeFile(own, content);
  try {
    // `link` fails when the name is taken and shows the lock with its whole content or not at all.
    while (!(await tryLink(own, file))) await removeStaleLock(file, flag);
  } finally {
    await rm(own, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
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

/** Returns when the name may be free; the caller tries again. */
async function removeStaleLock(file: string, flag: KeptDir["flag"]): Promise<void> {
  const seen = await readFile(file, "utf8").catch(() => undefined);
  if (seen === undefined) return;
  const holder = parseHolder(seen);
  if (holder !== undefined && isProcessAlive(holder.pid)) throw describeLocked(file, holder, flag);
  const aside = `${file}.stale.${process.pid}`;
  await rename(file, aside).catch(() => undefined);
  // Between reading and renaming another process may have taken over: then this is its lock, put it back.
  const renamed = await readFile(aside, "utf8").catch(() => undefined);
  if (renamed !== undefined && renamed !== seen) await tryLink(aside, file);
  await rm(aside, { force: true });
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(text);
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : undefined;
  } catch {
    return undefined;
  }
}

function describeLocked(file: string, holder: LockHolder, flag: KeptDir["flag"]): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_LOCKED",
    message: `process ${holder.pid} has been releasing into the same folder since ${holder.startedAt}`,
    hint: `wait for it, or use another ${flag}; if process ${holder.pid} is no release, delete ${file}`,
    exitCode: exitCodes.external,
  });
}
