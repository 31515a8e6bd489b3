/** How long a request may stay unanswered, in milliseconds; `Infinity` waits forever. */
export interface Deadlines {
  /** For every method that is not named; default 60,000. */
  default: number;
  /** By method; these are added to {@link defaultDeadlines}. */
  methods: Readonly<Record<string, number>>;
}

/**
 * A control request is answered in milliseconds, so a minute means that it never will be
 * (openai/codex#36926). Named are those whose answer waits for somebody else's work.
 */
export const defaultDeadlines: Deadlines = {
  default: 60_000,
  methods: {
    "command/exec": Number.POSITIVE_INFINITY,
    "mcpServer/tool/call": Number.POSITIVE_INFINITY,
    "windowsSandbox/setupStart": 600_000,
    "externalAgentConfig/import": 600_000,
    "feedback/upload": 600_000,
    "marketplace/add": 600_000,
    "marketplace/upgrade": 600_000,
    "plugin/install": 600_000,
    "plugin/reconcile": 600_000,
    "plugin/share/checkout": 600_000,
    "plugin/share/save": 600_000,
  },
};

/** When a request that the engine refused as overloaded (-32001) is sent once more. It has not been carried out. */
export interface OverloadRetry {
  /** How often at most; 0 turns it off. */
  retries: number;
  /** Before the first retry; doubled for each further one. */
  firstDelayMs: number;
  maxDelayMs: number;
  /** How much of a delay is left to chance, 0 to 1, so that many clients do not come back at once. */
  jitter: number;
}

export const defaultOverloadRetry: OverloadRetry = {
  retries: 6,
  firstDelayMs: 100,
  maxDelayMs: 5_000,
  jitter: 0.5,
};

/** The delay before retry number `retry` (from 0). */
export function computeRetryDelayMs(policy: OverloadRetry, retry: number, random: () => number): number {
  const full = Math.min(policy.firstDelayMs * 2 ** retry, policy.maxDelayMs);
  return full * (1 - policy.jitter * random());
}
