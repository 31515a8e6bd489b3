import { checkThreadId, checkThreadOptions, checkTurnOptions } from "./check-options.ts";
import { CodexError } from "./errors.ts";
import type { ThreadError, ThreadEvent, Usage } from "./events.ts";
import { type Input, normalizeInput } from "./input.ts";
import type { ThreadItem } from "./items.ts";
import type { ThreadOptions, TurnOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** A finished turn. */
export type Turn = {
  /** Every completed item, in order. */
  items: ThreadItem[];
  /** The text of the last agent message; empty if there was none. */
  finalResponse: string;
  /** Null when the engine ended without an error and without saying that the turn is completed. */
  usage: Usage | null;
  /** What this turn alone has used; there with an engine that stays up. */
  turnUsage?: Usage;
};

/** What `run()` resolves to. */
export type RunResult = Turn;

/** A turn that reports as it goes. */
export type StreamedTurn = {
  /**
   * The turn's events. The turn starts with the first iteration; leaving the loop early ends it, the
   * engine included.
   */
  events: AsyncGenerator<ThreadEvent>;
};

/** What `runStreamed()` resolves to. */
export type RunStreamedResult = StreamedTurn;

/** A conversation with the agent: one turn after the other. Made by {@link Codex}. */
export class Thread {
  readonly #transport: Transport;
  readonly #options: ThreadOptions;
  #id: string | null;

  /** @internal */
  constructor(transport: Transport, options: ThreadOptions, id: string | null) {
    this.#transport = transport;
    this.#options = options;
    this.#id = id;
  }

  /** The thread's id; null until a new thread's first turn has started. */
  get id(): string | null {
    return this.#id;
  }

  /**
   * Prepares a turn whose events are read one by one.
   * Errors come out of the iteration, not out of this call: those of {@link Thread.run}, except that a
   * failed turn is an event and not an error.
   */
  async runStreamed(input: Input, turnOptions: TurnOptions = {}): Promise<StreamedTurn> {
    return { events: this.#stream(input, turnOptions) };
  }

  /**
   * Runs a turn to its end.
   * @throws {@link CodexError} with any of its codes but `CODEX_JS_SDK_ENGINE_NOT_FOUND`
   */
  async run(input: Input, turnOptions: TurnOptions = {}): Promise<Turn> {
    const turn: Turn = { items: [], finalResponse: "", usage: null };
    let failure: ThreadError | undefined;
    for await (const event of this.#stream(input, turnOptions)) {
      if (event.type === "item.completed") {
        turn.items.push(event.item);
        if (event.item.type === "agent_message") turn.finalResponse = event.item.text;
      } else if (event.type === "turn.completed") {
        turn.usage = event.usage ?? null;
        if (event.turn_usage !== undefined) turn.turnUsage = event.turn_usage;
      } else if (event.type === "turn.failed") {
        failure = event.error;
      }
    }
    if (failure !== undefined) {
      throw new CodexError("CODEX_JS_SDK_TURN_FAILED", failure.message);
    }
    return turn;
  }

  async *#stream(
    input: Input,
    turnOptions: TurnOptions | null,
  ): AsyncGenerator<ThreadEvent, void, undefined> {
    checkThreadId(this.#id);
    const turn = this.#transport.runTurn({
      ...normalizeInput(input),
      thread: this,
      threadOptions: checkThreadOptions(this.#options),
      turnOptions: checkTurnOptions(turnOptions),
    });
    for await (const event of turn) {
      if (event.type === "thread.started") this.#id = event.thread_id;
      // What the service says of a key may have the key in it.
      const told = ("error" in event ? event.error : event) as { message?: string } | null;
      if (told?.message) told.message = this.#transport.redact(told.message);
      yield event;
    }
  }
}
