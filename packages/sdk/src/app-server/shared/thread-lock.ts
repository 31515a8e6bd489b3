import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAbortError } from "../../errors.ts";
import type { ThreadLock } from "../await-quiet-thread.ts";
import type { SharedServerOptions } from "./shared-options.ts";
import { openSharedPlace } from "./shared-place.ts";
import { tryStartLock } from "./start-lock.ts";

const pollMs = 10;

/**
 * A lock beside the server's socket, held for the moment in which a turn starts: all who wait for the end of
 * the same turn would start theirs at once.
 */
export function createThreadLock({ command, stateDir }: SharedServerOptions): ThreadLock {
  return async (threadId, signal) => {
    const { dir } = await openSharedPlace((await command()).env, stateDir);
    const path = join(dir, `turn-${encodeURIComponent(threadId)}`);
    for (;;) {
      if (signal?.aborted) throw createAbortError(signal);
      const unlock = await tryStartLock(path);
      if (unlock !== undefined) return unlock;
      await sleep(pollMs);
    }
  };
}
