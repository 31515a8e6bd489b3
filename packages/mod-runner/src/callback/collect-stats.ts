import type { Usage } from "../../generated/messages.ts";
import type { Lease } from "../pool/runner-pool.ts";
import type { Answer } from "../runner/exchange.ts";
import type { CallbackStats } from "../stats.ts";
import type { Callback } from "./callback.ts";

/** What the runner said of itself, and what the host saw. */
export function collectStats(
  lease: Lease,
  callback: Callback,
  answer: Answer,
  roundTripMs: number,
): CallbackStats {
  const { runner, source, waitedMs } = lease;
  const usage = answer.type === "ended" ? undefined : answer.usage;
  return {
    runner: source,
    waitedMs,
    roundTripMs,
    ...pickUsage(usage),
    ...(answer.type === "ended" ? {} : runner.readMemory()),
    hostRequests: callback.hostRequests,
    denied: callback.deniedOperations,
    logsDropped: usage?.logsDropped ?? 0,
    codeCached: runner.hasCaches,
  };
}

function pickUsage(usage: Usage | undefined): Partial<CallbackStats> {
  if (usage === undefined) return {};
  const { elapsedMs, cpuMs, heapBytes, externalBytes } = usage;
  return { elapsedMs, cpuMs, heapBytes, externalBytes };
}
