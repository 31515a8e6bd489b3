import type { Runner } from "../runner/runner.ts";
import type { PoolOptions } from "./pool-options.ts";

/** What the spares need of the pool that they belong to. */
export interface SparePlace {
  start: () => Promise<Runner>;
  /** Whether there is place for one more. */
  hasPlace: () => boolean;
}

/** So soon that the next callback finds a spare, and late enough not to delay the one that took the last. */
const refillDelayMs = 20;
/** Spares that were asked for within this time say how many are wanted. */
const demandWindowMs = 1000;

/** Runners that stand ready for a mod that has none: one, and a few more while several mods are busy. */
export class SpareRunners {
  readonly #options: Required<PoolOptions>;
  readonly #place: SparePlace;
  #spares: Runner[] = [];
  /** One that is being started; whoever needs it first may have it. */
  #coming: Promise<Runner> | undefined;
  /** Times at which a spare was asked for. */
  #demands: number[] = [];
  #refillTimer: NodeJS.Timeout | undefined;
  #trimTimer: NodeJS.Timeout | undefined;
  #isRefilling = false;
  #isClosed = false;

  constructor(options: Required<PoolOptions>, place: SparePlace) {
    this.#options = options;
    this.#place = place;
  }

  get size(): number {
    return this.#spares.length;
  }

  /** One that is ready, if there is one, or else one that will be. */
  take(): { runner: Runner | Promise<Runner>; source: "spare" | "started" } | undefined {
    this.#demands.push(performance.now());
    const spare = this.#spares.find(({ isReady }) => isReady) ?? this.#spares[0];
    if (spare !== undefined) {
      this.remove(spare);
      return { runner: spare, source: "spare" };
    }
    const coming = this.#coming;
    this.#coming = undefined;
    return coming === undefined ? undefined : { runner: coming, source: "started" };
  }

  remove(runner: Runner): void {
    this.#spares = this.#spares.filter((other) => other !== runner);
  }

  planRefill(): void {
    if (this.#isClosed || this.#isRefilling || this.#refillTimer !== undefined) return;
    if (this.#spares.length >= this.#wanted) return;
    this.#refillTimer = setTimeout(() => {
      this.#refillTimer = undefined;
      void this.refill();
    }, refillDelayMs).unref();
  }

  /** Whoever needs a runner next is told why there is none; a spare that fails is not tried again before. */
  async refill(): Promise<void> {
    if (this.#isRefilling) return;
    this.#isRefilling = true;
    while (!this.#isClosed && this.#place.hasPlace() && this.#spares.length < this.#wanted) {
      if (!(await this.#addOne())) break;
    }
    this.#isRefilling = false;
    this.#planTrim();
  }

  /** No more of them are started; those that are there belong to the pool. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#refillTimer);
    clearTimeout(this.#trimTimer);
  }

  /** False where there is none, or somebody could not wait until it was there. */
  async #addOne(): Promise<boolean> {
    const coming = this.#place.start();
    this.#coming = coming;
    const runner = await coming.catch(() => undefined);
    const isTaken = this.#coming !== coming;
    if (isTaken) return false;
    this.#coming = undefined;
    if (runner === undefined) return false;
    this.#spares.push(runner);
    return runner.ready.then(
      () => true,
      () => false,
    );
  }

  get #wanted(): number {
    const since = performance.now() - demandWindowMs;
    this.#demands = this.#demands.filter((time) => time > since);
    const { spare, spareBusy } = this.#options;
    return spare === 0 ? 0 : Math.max(spare, Math.min(spareBusy, this.#demands.length));
  }

  /** The spares of a busy time go when it is over. */
  #planTrim(): void {
    if (this.#isClosed || this.#trimTimer !== undefined || this.#spares.length <= this.#options.spare) return;
    this.#trimTimer = setTimeout(() => {
      this.#trimTimer = undefined;
      for (const runner of this.#spares.splice(this.#wanted)) runner.kill("retired");
      this.#planTrim();
    }, this.#options.warmMs).unref();
  }
}
