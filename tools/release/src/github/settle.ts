import { setTimeout as sleep } from "node:timers/promises";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./github-error.ts";

export interface Settling<Value> {
  /** For the log, `upload a.tgz`. */
  what: string;
  /** What is there already as it should be; undefined when it has to be written. */
  observe: () => Promise<Value | undefined>;
  write: () => Promise<Value>;
}

/**
 * Observes, and writes what is missing. A write that failed may have been done, and one that was done may
 * not be seen yet: each further attempt comes after a pause and another look.
 */
export async function settle<Value>(
  client: GithubClient,
  { what, observe, write }: Settling<Value>,
): Promise<{ value: Value; isWritten: boolean }> {
  let isSent = false;
  for (const delayMs of [...client.delaysMs, undefined]) {
    try {
      const there = await observe();
      if (there !== undefined) return { value: there, isWritten: isSent };
      isSent = true;
      return { value: await write(), isWritten: true };
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (delayMs === undefined) return lookOnce(observe, error);
      await pause(client, what, delayMs);
    }
  }
  throw new Error("the last attempt returns or throws");
}

/** The last write may have been done as well; if not, its own error says more than that of the look. */
async function lookOnce<Value>(
  observe: () => Promise<Value | undefined>,
  error: unknown,
): Promise<{ value: Value; isWritten: boolean }> {
  const there = await observe().catch(() => undefined);
  if (there === undefined) throw error;
  return { value: there, isWritten: true };
}

/** Repeats a look until it finds something; undefined when it has not after all pauses. */
export async function lookAgain<Value>(
  client: GithubClient,
  what: string,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (const delayMs of [...client.delaysMs, undefined]) {
    const found = await look();
    if (found !== undefined || delayMs === undefined) return found;
    await pause(client, what, delayMs);
  }
  return undefined;
}

async function pause({ log, signal }: GithubClient, what: string, delayMs: number): Promise<void> {
  log(`GitHub: looking again in ${delayMs} ms (${what})`);
  await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function isPassing(error: unknown): boolean {
  return error instanceof GithubError && error.passing;
}
