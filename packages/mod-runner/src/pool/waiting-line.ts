import { createDeferred, type Deferred } from "../deferred.ts";
import { ModError } from "../errors.ts";

interface Waiting<T> {
  digest: string;
  turn: Deferred<T>;
}

/** Those who wait for a runner, first come, first served, up to a limit. */
export class WaitingLine<T> {
  readonly #limit: number;
  readonly #waiting: Waiting<T>[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** @throws ModError runner_busy, mod_cancelled, or what `rejectAll` gives */
  async wait(digest: string, signal: AbortSignal | undefined): Promise<T> {
    throwIfAborted(signal);
    if (this.#waiting.length >= this.#limit) {
      throw new ModError("runner_busy", `${this.#waiting.length} callbacks wait for a runner already`, {
        hint: "call again later, or raise pool.queue or pool.runners",
      });
    }
    const waiting = { digest, turn: createDeferred<T>() };
    this.#waiting.push(waiting);
    const abort = () => this.#remove(waiting, createCancelError(signal!));
    signal?.addEventListener("abort", abort);
    try {
      return await waiting.turn.promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /**
   * Gives out what there is, for as long as `take` has something for the first in the line. At once and not
   * when they wake up: somebody who has just come would be faster.
   */
  serve(take: (digest: string) => Promise<T> | undefined): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const taken = take(first.digest);
      if (taken === undefined) return;
      this.#waiting.shift();
      taken.then(first.turn.resolve, first.turn.reject);
    }
  }

  rejectAll(createError: () => Error): void {
    for (const { turn } of this.#waiting.splice(0)) turn.reject(createError());
  }

  #remove(waiting: Waiting<T>, reason: ModError): void {
    const index = this.#waiting.indexOf(waiting);
    // Otherwise it has been served, and whoever runs the callback sees the signal.
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    waiting.turn.reject(reason);
  }
}

/** @throws ModError mod_cancelled, as soon as the signal is aborted */
export async function settlesOrAborts(
  promise: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  throwIfAborted(signal);
  const aborted = createDeferred<never>();
  const abort = () => aborted.reject(createCancelError(signal!));
  signal?.addEventListener("abort", abort);
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** @throws ModError mod_cancelled */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw createCancelError(signal);
}

function createCancelError(signal: AbortSignal): ModError {
  return new ModError("mod_cancelled", "the callback was cancelled", { cause: signal.reason });
}
