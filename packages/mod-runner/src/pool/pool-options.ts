/** How many runners there are, and for how long. */
export interface PoolOptions {
  /** Runners that stand ready while nothing runs. Default 1; 0 starts each when it is needed. */
  spare?: number;
  /** Most runners that stand ready while several mods are busy. Default 3. */
  spareBusy?: number;
  /** Most idle runners that are kept for the mod that they have run. Default 4. */
  warm?: number;
  /** How long such a runner is kept, in milliseconds. Default 60,000. */
  warmMs?: number;
  /**
   * Most runners at a time, idle ones and those of open servers among them. Default 16. One that was ended does
   * not count, though its process may need a moment to go.
   */
  runners?: number;
  /**
   * Most callbacks that wait for a runner; one more is refused with `runner_busy`. So is one that waits where open
   * servers have all runners, when its own budget has passed. Default 256.
   */
  queue?: number;
}

export const defaultPool: Required<PoolOptions> = {
  spare: 1,
  spareBusy: 3,
  warm: 4,
  warmMs: 60_000,
  runners: 16,
  queue: 256,
};
