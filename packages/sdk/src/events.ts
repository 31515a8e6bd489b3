import type { ThreadItem } from "./items.ts";

/** The first event of a turn: which thread it belongs to. */
export type ThreadStartedEvent = {
  type: "thread.started";
  /** Give it to `Codex.resumeThread()` to go on with the thread later. */
  thread_id: string;
};

/** The prompt is on its way to the model. */
export type TurnStartedEvent = {
  type: "turn.started";
};

/** Token counts. The engine counts over the whole thread: they grow from turn to turn. */
export type Usage = {
  input_tokens: number;
  /** The part of `input_tokens` that came from the prompt cache. */
  cached_input_tokens: number;
  /** The part of `input_tokens` that was written to the prompt cache; 0 where an engine does not say. */
  cache_write_input_tokens: number;
  output_tokens: number;
  /** The part of `output_tokens` that was reasoning. */
  reasoning_output_tokens: number;
};

/** The turn is done. Nothing comes after this event. */
export type TurnCompletedEvent = {
  type: "turn.completed";
  /** Of the thread up to here. */
  usage: Usage;
  /** Of this turn alone; there with an engine that stays up, and not in what `codex exec` says. */
  turn_usage?: Usage;
};

/** What went wrong with a turn. */
export type ThreadError = {
  message: string;
};

/** The turn failed. Nothing comes after this event. */
export type TurnFailedEvent = {
  type: "turn.failed";
  error: ThreadError;
};

/** An item appears, usually `in_progress`. */
export type ItemStartedEvent = {
  type: "item.started";
  item: ThreadItem;
};

/** An item has changed. */
export type ItemUpdatedEvent = {
  type: "item.updated";
  item: ThreadItem;
};

/** An item is final. */
export type ItemCompletedEvent = {
  type: "item.completed";
  item: ThreadItem;
};

/** The engine reports an error; whether it ends the turn is told by what follows. */
export type ThreadErrorEvent = {
  type: "error";
  message: string;
};

/** Everything that a turn reports, told apart by `type`. */
export type ThreadEvent =
  | ThreadStartedEvent
  | TurnStartedEvent
  | TurnCompletedEvent
  | TurnFailedEvent
  | ItemStartedEvent
  | ItemUpdatedEvent
  | ItemCompletedEvent
  | ThreadErrorEvent;

/** Whether a turn is over with this event. */
export function isTerminalEvent(event: ThreadEvent): event is TurnCompletedEvent | TurnFailedEvent {
  return event.type === "turn.completed" || event.type === "turn.failed";
}
