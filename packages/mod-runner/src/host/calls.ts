import type { CallbackStats } from "../stats.ts";

/** Options of one callback. */
export interface RunOptions {
  /** Aborting ends the callback with `mod_cancelled`. */
  signal?: AbortSignal;
  /** Wall time in milliseconds, waits for the host included. Default: the host's `limits.budgetMs`. */
  budgetMs?: number;
}

/** What a hook returned. */
export interface ModResult<Output = unknown> {
  /** Any JSON value, chosen by untrusted code: check it. */
  value: Output;
  stats: CallbackStats;
}
