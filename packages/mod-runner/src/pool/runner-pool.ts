import { ModError } from "../errors.ts";
import type { KillReason, Runner } from "../runner/runner.ts";
import type { CallbackStats } from "../stats.ts";
import type { PoolOptions } from "./pool-options.ts";
import { WaitingLine } from "./waiting-line.ts";
import { WarmRunners } from "./warm-runners.ts";

/** A runner that is one callback's, or one server's, until it is given back. */
export interface Lease {
  runner: Runner;
  source: CallbackStats["runner"];
  waitedMs: number;
}

type Taken = Omit<Lease, "waitedMs">;

/** How many there are of each kind. */
export interface PoolCounts {
  busy: number;
  warm: number;
  spare: number;
  waiting: number;
}

/** So soon that the next callback finds a spare, and late enough not to delay the one that took the last. */
const refillDelayMs = 20;
/** Spares that were taken within this time say how many are wanted. */
const demandWindowMs = 1000;

/** Hands out runners: the mod's own warm one, a spare, a new one, or the next that becomes free. */
export class RunnerPool {
  readonly #options: Required<PoolOptions>;
  readonly #startRunner: () => Promise<Runner>;
  readonly #warm: WarmRunners;
  readonly #waiting: WaitingLine<Taken>;
  readonly #busy = new Set<Runner>();
  readonly #alive = new Set<Runner>();
  /** Those of them that were ended to make place. */
  readonly #leaving = new Set<Runner>();
  /** Times at which a spare was asked for. */
  #demands: number[] = [];
  #spares: Runner[] = [];
  /** Places that are taken by runners which are about to be started. */
  #starting = 0;
  /** One that is being started; whoever needs it first may have it. */
  #comingSpare: Promise<Runner> | undefined;
  #refillTimer: NodeJS.Timeout | undefined;
  #trimTimer: NodeJS.Timeout | undefined;
  #isRefilling = false;
  #isClosed = false;

  constructor(options: Required<PoolOptions>, startRunner: () => Promise<Runner>) {
    this.#options = options;
    this.#startRunner = startRunner;
    this.#warm = new WarmRunners(options.warm, options.warmMs);
    this.#waiting = new WaitingLine(options.queue);
  }

  get counts(): PoolCounts {
    return {
      busy: this.#busy.size,
      warm: this.#warm.size,
      spare: this.#spares.length,
      waiting: this.#waiting.length,
    };
  }

  /** The runners that run something now. */
  get busy(): Iterable<Runner> {
    return this.#busy;
  }

  /**
   * A runner that is ready and serves the mod of this digest, or none yet.
   * @throws ModError runner_busy, runner_unavailable, sandbox_unavailable, mod_cancelled
   */
  async acquire(digest: string, signal: AbortSignal | undefined): Promise<Lease> {
    const start = performance.now();
    this.#throwIfClosed();
    const taken = this.#waiting.length === 0 ? this.#take(digest) : undefined;
    const lease: Lease = {
      ...(await (taken ?? this.#waiting.wait(digest, signal))),
      waitedMs: performance.now() - start,
    };
    // Closed while it was starting.
    if (this.#isClosed) this.release(lease, "closed");
    this.#throwIfClosed();
    return lease;
  }

  /** @param retire - ends the runner, which cannot be used again */
  release({ runner }: Lease, retire?: KillReason): void {
    this.#busy.delete(runner);
    if (retire !== undefined || this.#isClosed) runner.kill(retire ?? "closed");
    if (runner.isAlive && retire === undefined && !this.#isClosed) this.#warm.add(runner);
    this.#serveWaiting();
    this.#planRefill();
  }

  /** Begins to have a spare. */
  warmUp(): void {
    void this.#refill();
  }

  /** Ends every runner, refuses those that wait, and waits until all processes are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#refillTimer);
    clearTimeout(this.#trimTimer);
    this.#warm.clear();
    this.#waiting.rejectAll(createClosedError);
    for (const runner of this.#alive) runner.kill("closed");
    await Promise.all([...this.#alive].map(({ ended }) => ended));
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw createClosedError();
  }

  /** Undefined where there is no place for one more. */
  #take(digest: string): Promise<Taken> | undefined {
    const warm = this.#warm.take(digest);
    if (warm !== undefined) return Promise.resolve(this.#lend(warm, "warm"));
    this.#demands.push(performance.now());
    const spare = this.#takeSpare();
    if (spare !== undefined) return this.#lendWhenReady(spare, "spare", digest);
    const coming = this.#comingSpare;
    this.#comingSpare = undefined;
    if (coming !== undefined) return coming.then((runner) => this.#lendWhenReady(runner, "started", digest));
    if (this.#isFull && !this.#makePlace()) return undefined;
    return this.#start().then((runner) => this.#lendWhenReady(runner, "started", digest));
  }

  get #isFull(): boolean {
    return this.#alive.size - this.#leaving.size + this.#starting >= this.#options.runners;
  }

  /** Another mod's runner that has nothing to do gives way. */
  #makePlace(): boolean {
    const oldest = this.#warm.takeOldest();
    if (oldest === undefined) return false;
    this.#leaving.add(oldest);
    oldest.kill("retired");
    return true;
  }

  /** One that is ready, if there is one. */
  #takeSpare(): Runner | undefined {
    const spare = this.#spares.find(({ isReady }) => isReady) ?? this.#spares[0];
    this.#spares = this.#spares.filter((other) => other !== spare);
    return spare;
  }

  async #lendWhenReady(runner: Runner, source: Lease["source"], digest: string): Promise<Taken> {
    runner.digest = digest;
    const lease = this.#lend(runner, source);
    runner.setKeepAlive(true);
    try {
      await runner.ready;
      return lease;
    } catch (error) {
      this.#busy.delete(runner);
      throw error;
    }
  }

  #lend(runner: Runner, source: Lease["source"]): Taken {
    this.#busy.add(runner);
    this.#planRefill();
    return { runner, source };
  }

  async #start(): Promise<Runner> {
    this.#starting += 1;
    try {
      const runner = await this.#startRunner();
      this.#alive.add(runner);
      void runner.ended.then(() => this.#forget(runner));
      if (this.#isClosed) runner.kill("closed");
      return runner;
    } catch (error) {
      // Those who wait are told the same, each when it has tried.
      queueMicrotask(() => this.#serveWaiting());
      throw error;
    } finally {
      this.#starting -= 1;
    }
  }

  #serveWaiting(): void {
    if (!this.#isClosed) this.#waiting.serve((digest) => this.#take(digest));
  }

  #forget(runner: Runner): void {
    this.#alive.delete(runner);
    this.#warm.remove(runner);
    this.#leaving.delete(runner);
    this.#spares = this.#spares.filter((other) => other !== runner);
    this.#serveWaiting();
  }

  #planRefill(): void {
    if (this.#isClosed || this.#isRefilling) return;
    if (this.#refillTimer !== undefined || this.#spares.length >= this.#wantedSpares) return;
    this.#refillTimer = setTimeout(() => {
      this.#refillTimer = undefined;
      void this.#refill();
    }, refillDelayMs).unref();
  }

  /** Whoever needs a runner next is told why there is none; a spare that fails is not tried again before. */
  async #refill(): Promise<void> {
    if (this.#isRefilling) return;
    this.#isRefilling = true;
    while (!this.#isClosed && !this.#isFull && this.#spares.length < this.#wantedSpares) {
      if (!(await this.#addSpare())) break;
    }
    this.#isRefilling = false;
    this.#planTrim();
  }

  /** False where there is none, or somebody could not wait until it was there. */
  async #addSpare(): Promise<boolean> {
    const coming = this.#start();
    this.#comingSpare = coming;
    const runner = await coming.catch(() => undefined);
    const isTaken = this.#comingSpare !== coming;
    if (isTaken) return false;
    this.#comingSpare = undefined;
    if (runner === undefined) return false;
    this.#spares.push(runner);
    return becomesReady(runner);
  }

  get #wantedSpares(): number {
    const since = performance.now() - demandWindowMs;
    this.#demands = this.#demands.filter((time) => time > since);
    const { spare, spareBusy } = this.#options;
    return Math.max(spare, spare === 0 ? 0 : Math.min(spareBusy, this.#demands.length));
  }

  /** The spares of a busy time go when it is over. */
  #planTrim(): void {
    if (this.#trimTimer !== undefined || this.#spares.length <= this.#options.spare) return;
    this.#trimTimer = setTimeout(() => {
      this.#trimTimer = undefined;
      for (const runner of this.#spares.splice(this.#wantedSpares)) runner.kill("retired");
      this.#planTrim();
    }, this.#options.warmMs).unref();
  }
}

function becomesReady(runner: Runner): Promise<boolean> {
  return runner.ready.then(
    () => true,
    () => false,
  );
}

function createClosedError(): ModError {
  return new ModError("mod_cancelled", "the mod host was closed");
}
