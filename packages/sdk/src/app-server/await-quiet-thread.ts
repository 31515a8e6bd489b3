import { setTimeout as sleep } from "node:timers/promises";
import { RpcError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { untilAborted } from "./server-requests.ts";

/** Only for an end that nobody tells of, of a thread that was unloaded for example. */
const lookAgainMs = 2_000;

/** Keeps other programs from starting a turn on a thread until the returned function is called. */
export type ThreadLock = (threadId: string, signal: AbortSignal | undefined) => Promise<() => Promise<void>>;

export interface QuietThreadOptions {
  threadId: string;
  /** Calls back at the end of a turn of the thread; returns a function that ends this. */
  onTurnEnd: (listener: () => void) => () => void;
  lock: ThreadLock | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Resolves when no turn runs on the thread, and with the function that lets go of its lock. On a server that
 * others share there may be somebody else's turn: the engine would take one that is started meanwhile as more
 * input for that one, and answer both in one.
 */
export async function awaitQuietThread(
  connection: Connection,
  options: QuietThreadOptions,
): Promise<() => Promise<void>> {
  const { threadId, lock, signal } = options;
  const release = connection.hold();
  try {
    for (;;) {
      await awaitTurnEnd(connection, options);
      const unlock = (await lock?.(threadId, signal)) ?? (async () => {});
      let isQuiet = false;
      try {
        // Whoever waited for the same end may have been faster.
        isQuiet = await isIdle(connection, threadId, signal);
        if (isQuiet) return unlock;
      } finally {
        if (!isQuiet) await unlock();
      }
    }
  } finally {
    release();
  }
}

async function awaitTurnEnd(
  connection: Connection,
  { threadId, onTurnEnd, signal }: QuietThreadOptions,
): Promise<void> {
  for (let isQuiet = false; !isQuiet; ) {
    let stop!: () => void;
    // Listened for before the question: its answer may be older than the end.
    const ended = new Promise<void>((resolve) => {
      stop = onTurnEnd(resolve);
    });
    try {
      isQuiet = await isIdle(connection, threadId, signal);
      const late = isQuiet ? undefined : sleep(lookAgainMs, undefined, { ref: false });
      await untilAborted(Promise.race([ended, connection.closed, late]), signal);
    } finally {
      stop();
    }
  }
}

async function isIdle(
  connection: Connection,
  threadId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // What is wrong with the thread is for `turn/start` to say.
  return !(await untilAborted(isThreadActive(connection, threadId), signal));
}

/** Whether a turn runs on a thread; none does on one that the engine cannot read, which may be closed by now. */
export async function isThreadActive(connection: Connection, threadId: string): Promise<boolean> {
  const read = await connection.request("thread/read", { threadId, includeTurns: false }).catch((error) => {
    if (!(error instanceof RpcError)) throw error;
  });
  return read?.thread?.status?.type === "active";
}
