import type { CodexError } from "../errors.ts";
import type { EngineState, EngineStateChange } from "./engine-link.ts";
import { warnOfHandler } from "./warn-of-handler.ts";

/** The state of one link and those who watch it. */
export class StateMachine {
  #state: EngineState = "idle";
  readonly #listeners = new Set<(change: EngineStateChange) => void>();

  get state(): EngineState {
    return this.#state;
  }

  onChange(listener: (change: EngineStateChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  set(state: EngineState, error?: CodexError): void {
    const previous = this.#state;
    if (state === previous) return;
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener(error === undefined ? { state, previous } : { state, previous, error });
      } catch (fault) {
        warnOfHandler(fault, undefined);
      }
    }
  }
}
