import { ModError } from "../errors.ts";
import type { Runner } from "../runner/runner.ts";
import type { KillReason } from "../runner/runner-end.ts";
import type { CallbackStats } from "../stats.ts";
import type { PoolOptions } from "./pool-options.ts";
import { SpareRunners } from "./spare-runners.ts";
import { type LeaseRequest, WaitingLine } from "./waiting-line.ts";
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

/** Hands out runners: the mod's own warm one, a spare, a new one, or the next that becomes free. */
export class RunnerPool {
  readonly #options: Required<PoolOptions>;
  readonly #startRunner: () => Promise<Runner>;
  readonly #warm: WarmRunners;
  readonly #waiting: WaitingLine<Taken>;
  readonly #spares: SpareRunners;
  readonly #busy = new Set<Runner>();
  /** Those of them that a server has: they come back when the program closes it. */
  readonly #held = new Set<Runner>();
  readonly #alive = new Set<Runner>();
  /** Places that are taken by runners which are about to be started. */
  readonly #starting = new Set<Promise<Runner>>();
  #isClosed = false;

  constructor(options: Required<PoolOptions>, startRunner: () => Promise<Runner>) {
    this.#options = options;
    this.#startRunner = startRunner;
    this.#warm = new WarmRunners(options.warm, options.warmMs);
    this.#waiting = new WaitingLine(options.queue, (patienceMs) =>
      createHeldError(options.runners, patienceMs),
    );
    this.#spares = new SpareRunners(options, { start: () => this.#start(), hasPlace: () => !this.#isFull });
  }

  get counts(): PoolCounts {
    return {
      busy: this.#busy.size,
      warm: this.#warm.size,
      spare: this.#spares.size,
      waiting: this.#waiting.length,
    };
  }

  /** The runners that run something now. */
  get busy(): Iterable<Runner> {
    return this.#busy;
  }

  /**
   * A runner that is ready and serves the mod of this digest, or none yet. Where servers have all of them it
   * waits for its own time at most.
   * @throws ModError runner_busy, runner_unavailable, sandbox_unavailable, mod_cancelled
   */
  async acquire(request: LeaseRequest): Promise<Lease> {
    const start = performance.now();
    this.#throwIfClosed();
    const taken = this.#waiting.length === 0 ? this.#take(request) : undefined;
    const lease: Lease = {
      ...(await (taken ?? this.#waiting.wait(request))),
      waitedMs: performance.now() - start,
    };
    // Closed while it was starting.
    if (this.#isClosed) this.release(lease, "closed");
    this.#throwIfClosed();
    return lease;
  }

  /** @param retire - ends the runner, which cannot be used again */
  release({ runner }: Lease, retire?: KillReason): void {
    this.#unlend(runner);
    if (retire !== undefined || this.#isClosed) runner.kill(retire ?? "closed");
    else if (!runner.isEnding) this.#warm.add(runner);
    this.#serveWaiting();
    this.#spares.planRefill();
  }

  /** Begins to have a spare. */
  warmUp(): void {
    void this.#spares.refill();
  }

  /** Ends every runner, refuses those that wait, and waits until all processes are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#spares.close();
    this.#warm.clear();
    this.#waiting.rejectAll(createClosedError);
    await Promise.allSettled(this.#starting);
    for (const runner of this.#alive) runner.kill("closed");
    await Promise.all([...this.#alive].map(({ ended }) => ended));
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw createClosedError();
  }

  /** Undefined where there is no place for one more. */
  #take(request: LeaseRequest): Promise<Taken> | undefined {
    const warm = this.#warm.take(request.digest);
    if (warm !== undefined) return Promise.resolve(this.#lend(warm, "warm", request));
    const spare = this.#spares.take();
    if (spare !== undefined) return this.#lendWhenReady(spare.runner, spare.source, request);
    if (this.#isFull && !this.#makePlace()) return undefined;
    return this.#lendWhenReady(this.#start(), "started", request);
  }

  get #isFull(): boolean {
    return countPlaces(this.#alive) + this.#starting.size >= this.#options.runners;
  }

  /** Another mod's runner that has nothing to do gives way. */
  #makePlace(): boolean {
    const oldest = this.#warm.takeOldest();
    if (oldest === undefined) return false;
    oldest.kill("retired");
    return true;
  }

  async #lendWhenReady(
    coming: Runner | Promise<Runner>,
    source: Lease["source"],
    request: LeaseRequest,
  ): Promise<Taken> {
    const runner = await coming;
    runner.digest = request.digest;
    const lease = this.#lend(runner, source, request);
    runner.setKeepAlive(true);
    try {
      await runner.ready;
      return lease;
    } catch (error) {
      this.#unlend(runner);
      throw error;
    }
  }

  #lend(runner: Runner, source: Lease["source"], { isServer }: LeaseRequest): Taken {
    this.#busy.add(runner);
    if (isServer) this.#held.add(runner);
    this.#updateStuck();
    this.#spares.planRefill();
    return { runner, source };
  }

  #unlend(runner: Runner): void {
    this.#busy.delete(runner);
    this.#held.delete(runner);
  }

  #start(): Promise<Runner> {
    const starting = this.#startRunner();
    this.#starting.add(starting);
    const settle = () => {
      this.#starting.delete(starting);
    };
    return starting.then(
      (runner) => {
        settle();
        this.#alive.add(runner);
        void runner.ended.then(() => this.#forget(runner));
        if (this.#isClosed) runner.kill("closed");
        return runner;
      },
      (error: unknown) => {
        settle();
        // Those who wait are told the same, each when it has tried.
        queueMicrotask(() => this.#serveWaiting());
        throw error;
      },
    );
  }

  #serveWaiting(): void {
    if (!this.#isClosed) this.#waiting.serve((request) => this.#take(request));
    this.#updateStuck();
  }

  #updateStuck(): void {
    this.#waiting.setStuck(countPlaces(this.#held) >= this.#options.runners);
  }

  #forget(runner: Runner): void {
    this.#alive.delete(runner);
    this.#held.delete(runner);
    this.#warm.remove(runner);
    this.#spares.remove(runner);
    this.#serveWaiting();
  }
}

/** One that was ended takes none, though its process may need a moment to go. */
function countPlaces(runners: Iterable<Runner>): number {
  return [...runners].filter(({ isEnding }) => !isEnding).length;
}

function createHeldError(runners: number, patienceMs: number): ModError {
  const which = runners === 1 ? "the only runner" : `all ${runners} runners`;
  return new ModError(
    "runner_busy",
    `open servers have ${which}, and none of them was closed in ${patienceMs} ms`,
    { hint: "close a server first, or raise pool.runners" },
  );
}

function createClosedError(): ModError {
  return new ModError("mod_cancelled", "the mod host was closed");
}
