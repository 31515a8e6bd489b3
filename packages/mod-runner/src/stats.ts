/** What one callback cost. Times in milliseconds. */
export interface CallbackStats {
  /** How the callback came by its runner: one that had run the mod before, one that stood ready, or a new one. */
  runner: "warm" | "spare" | "started";
  /** Wait for a free place among the runners, and for a new one to be ready. */
  waitedMs: number;
  /** From the line to the runner to its answer, as the host sees it. */
  roundTripMs: number;
  /** The callback itself, as the runner measured it; undefined when it gave no answer. */
  elapsedMs?: number;
  /** Processor time of the runner's main thread. */
  cpuMs?: number;
  /** V8's heap in use at the end, before any collection. */
  heapBytes?: number;
  /** Array buffers and the like at the end. */
  externalBytes?: number;
  /** Memory of the runner's process, pages shared with other runners included, at most 20 ms ago; Linux only. */
  rssBytes?: number;
  /** Most that the process ever had; Linux only. */
  peakRssBytes?: number;
  /** Host operations that the mod asked for. */
  hostRequests: number;
  /** Names of those that it was denied. */
  denied: readonly string[];
  /** Log lines that a limit kept back. */
  logsDropped: number;
  /** Compiled code of an earlier callback was handed to the runner. */
  codeCached: boolean;
}
