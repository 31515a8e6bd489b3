import type { ThreadEvent } from "./events.ts";
import type { NormalizedInput } from "./input.ts";
import type { ThreadOptions, TurnOptions } from "./options.ts";
import type { Redact } from "./redact.ts";

/** One turn, as a thread asks for it. */
export interface TurnRequest extends NormalizedInput {
  /** Whose turn it is; its `id` is null until the first turn of a new thread has begun. */
  thread: { readonly id: string | null };
  threadOptions: ThreadOptions;
  turnOptions: TurnOptions;
}

/** How turns reach an engine. Threads know nothing else of it. */
export interface Transport {
  /**
   * Runs a turn. Nothing happens before the first iteration. The iteration ends with the turn's
   * terminal event; leaving it early, or aborting the turn's signal, ends the turn.
   */
  runTurn(request: TurnRequest): AsyncGenerator<ThreadEvent, void, undefined>;
  /** Takes API keys out of a text. */
  readonly redact: Redact;
  /** Ends turns that run, and what they have left running; afterwards no turn can be run. */
  close(): Promise<void>;
}
