import { untilAborted } from "./app-server/server-requests.ts";

/** Lets one turn at a time through, in the order in which they came. */
export class TurnLine {
  readonly #tails = new Map<unknown, Promise<void>>();

  /**
   * Waits for everybody before; the returned function lets the next one in.
   * @param key a thread, by id or by object
   * @throws an AbortError when `signal` is aborted before the turn's time has come
   */
  async enter(key: unknown, signal?: AbortSignal): Promise<() => void> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    let leave!: () => void;
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const tail = before.then(() => gone);
    this.#tails.set(key, tail);
    tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      await untilAborted(before, signal);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }
}
