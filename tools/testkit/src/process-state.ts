import { setTimeout as sleep } from "node:timers/promises";
import { isProcessAlive } from "@codex-js/cli-kit";

/** Resolves when the process has ended; a zombie counts as ended. The test's own deadline is the limit. */
export async function waitUntilGone(pid: number): Promise<void> {
  while (isProcessAlive(pid)) await sleep(5);
}
