import { createDeferred, type Deferred } from "../deferred.ts";
import { ModError } from "../errors.ts";
import { onAbort } from "../on-abort.ts";

/** Who wants a runner, and for how long. */
export interface LeaseRequest {
  /** Of the mod. */
  digest: string;
  signal: AbortSignal | undefined;
  /** It is a server's, which keeps it until the program closes it. */
  isServer: boolean;
  /** How long it waits for a runner that only the program itself can give back. */
  patienceMs: number;
}

interface Waiting<T> {
  request: LeaseRequest;
  turn: Deferred<T>;
  timer: NodeJS.Timeout | undefined;
}

/** Those who wait for a runner, first come, first served, up to a limit. The process lives for as long as they do. */
export class WaitingLine<T> {
  readonly #limit: number;
  readonly #createStuckError: (patienceMs: number) => ModError;
  readonly #waiting: Waiting<T>[] = [];
  #keepAlive: NodeJS.Timeout | undefined;
  #isStuck = false;

  /** @param createStuckError - for whoever has waited long enough in a line that is stuck */
  constructor(limit: number, createStuckError: (patienceMs: number) => ModError) {
    this.#limit = limit;
    this.#createStuckError = createStuckError;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** @throws ModError runner_busy, mod_cancelled, or what `rejectAll` gives */
  async wait(request: LeaseRequest): Promise<T> {
    const { signal } = request;
    throwIfAborted(signal);
    if (this.#waiting.length >= this.#limit) {
      throw new ModError("runner_busy", `${this.#waiting.length} callbacks wait for a runner already`, {
        hint: "call again later, or raise pool.queue or pool.runners",
      });
    }
    const waiting: Waiting<T> = { request, turn: createDeferred<T>(), timer: undefined };
    const abort = () => this.#reject(waiting, createCancelError(signal!));
    // Before it is in the line, for a signal may throw; nobody stays there who does not wait.
    const stopListening = onAbort(signal, abort);
    this.#waiting.push(waiting);
    this.#keepAlive ??= setInterval(() => {}, keepAliveMs);
    if (this.#isStuck) this.#startTimer(waiting);
    try {
      return await waiting.turn.promise;
    } finally {
      stopListening();
    }
  }

  /**
   * Gives out what there is, for as long as `take` has something for the first in the line. At once and not
   * when they wake up: somebody who has just come would be faster.
   */
  serve(take: (request: LeaseRequest) => Promise<T> | undefined): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const taken = take(first.request);
      if (taken === undefined) return;
      this.#remove(first);
      taken.then(first.turn.resolve, first.turn.reject);
    }
  }

  /** A line is stuck where only the program itself can make it go on; nobody waits in it for ever then. */
  setStuck(isStuck: boolean): void {
    if (isStuck === this.#isStuck) return;
    this.#isStuck = isStuck;
    for (const waiting of this.#waiting) {
      if (isStuck) this.#startTimer(waiting);
      else clearTimeout(waiting.timer);
    }
  }

  rejectAll(createError: () => Error): void {
    for (const waiting of [...this.#waiting]) this.#reject(waiting, createError());
  }

  #startTimer(waiting: Waiting<T>): void {
    const { patienceMs } = waiting.request;
    const expire = () => this.#reject(waiting, this.#createStuckError(patienceMs));
    waiting.timer = setTimeout(expire, patienceMs);
  }

  /** Does nothing where it has been served: whoever runs the callback sees the signal then. */
  #reject(waiting: Waiting<T>, reason: Error): void {
    if (this.#remove(waiting)) waiting.turn.reject(reason);
  }

  /** False where it is not there any more. */
  #remove(waiting: Waiting<T>): boolean {
    const index = this.#waiting.indexOf(waiting);
    if (index === -1) return false;
    this.#waiting.splice(index, 1);
    clearTimeout(waiting.timer);
    if (this.#waiting.length === 0) {
      clearInterval(this.#keepAlive);
      this.#keepAlive = undefined;
    }
    return true;
  }
}

/** It does nothing, so it may come as seldom as it likes. */
const keepAliveMs = 600_000;

/** @throws ModError mod_cancelled, as soon as the signal is aborted */
export async function settlesOrAborts(
  promise: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  throwIfAborted(signal);
  const aborted = createDeferred<never>();
  const abort = () => aborted.reject(createCancelError(signal!));
  const stopListening = onAbort(signal, abort);
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    stopListening();
  }
}

/** @throws ModError mod_cancelled */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw createCancelError(signal);
}

function createCancelError(signal: AbortSignal): ModError {
  return new ModError("mod_cancelled", "the callback was cancelled", { cause: signal.reason });
}
