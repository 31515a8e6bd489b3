import type { Runner } from "../runner/runner.ts";

/** Idle runners, each with the mod that it has run, from the longest idle to the last used. */
export class WarmRunners {
  readonly #limit: number;
  readonly #keepMs: number;
  readonly #timers = new Map<Runner, NodeJS.Timeout>();

  constructor(limit: number, keepMs: number) {
    this.#limit = limit;
    this.#keepMs = keepMs;
  }

  get size(): number {
    return this.#timers.size;
  }

  add(runner: Runner): void {
    const expire = () => {
      this.remove(runner);
      runner.kill("retired");
    };
    this.#timers.set(runner, setTimeout(expire, this.#keepMs).unref());
    if (this.#timers.size > this.#limit) this.takeOldest()?.kill("retired");
  }

  /** The one that was used last: what it needs is still in the processor's caches. */
  take(digest: string): Runner | undefined {
    const found = [...this.#timers.keys()].findLast((runner) => runner.digest === digest && !runner.isEnding);
    if (found !== undefined) this.remove(found);
    return found;
  }

  takeOldest(): Runner | undefined {
    const [oldest] = this.#timers.keys();
    if (oldest !== undefined) this.remove(oldest);
    return oldest;
  }

  remove(runner: Runner): void {
    clearTimeout(this.#timers.get(runner));
    this.#timers.delete(runner);
  }

  clear(): void {
    for (const runner of [...this.#timers.keys()]) this.remove(runner);
  }
}
