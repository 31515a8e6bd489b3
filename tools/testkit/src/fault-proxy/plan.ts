/** What happens to a request instead of being passed on. */
export type Fault =
  /** Answers this; the target never hears of the request. */
  | { type: "status"; status: number; body?: unknown; headers?: Record<string, string> }
  /** Passes the request on after `ms` milliseconds. */
  | { type: "delay"; ms: number }
  /**
   * Breaks the connection: at once, the target never hearing of the request, or, with `afterBytes`, when
   * that much of the target's response body has been passed on (headers included even for 0).
   */
  | { type: "cut"; afterBytes?: number }
  /** Passes the request on, waits for the target's whole answer, and answers this instead. */
  | { type: "storeThenStatus"; status: number; body?: unknown };

export interface FaultRule {
  /** Default: every method. */
  method?: string;
  /** Tested against the decoded path with its query, e.g. `/@scope/name`. */
  path: RegExp;
  /** How many matching requests pass untouched first; default 0. */
  skip?: number;
  /** How many get the fault after that; default all. */
  times?: number;
  fault: Fault;
}

export interface FaultPlan {
  /** The first rule that matches and has not run out decides; each match uses up one `skip` or `times`. */
  take(method: string, path: string): Fault | undefined;
}

export function createFaultPlan(rules: readonly FaultRule[]): FaultPlan {
  const seen = rules.map(() => 0);
  return {
    take(method, path) {
      for (const [index, rule] of rules.entries()) {
        if (rule.method !== undefined && rule.method.toUpperCase() !== method) continue;
        // `search` and not `test`: a global expression would remember where it stopped.
        if (path.search(rule.path) === -1) continue;
        const { skip = 0, times = Number.POSITIVE_INFINITY } = rule;
        const count = seen[index]!++;
        if (count >= skip && count < skip + times) return rule.fault;
      }
      return undefined;
    },
  };
}
