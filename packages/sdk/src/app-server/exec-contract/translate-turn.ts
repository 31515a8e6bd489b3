import type { ServerNotification } from "@codex-js/protocol";
import type { ThreadEvent, Usage } from "../../events.ts";
import type { ThreadItem, TodoItem } from "../../items.ts";
import { type EngineItem, translateItem, type UnnumberedItem } from "./translate-item.ts";
import { noUsage, translateUsage } from "./usage.ts";

type ParamsOf<M extends ServerNotification["method"]> = Extract<ServerNotification, { method: M }>["params"];

/** Turns what the engine says of one turn into what `codex exec` prints of it. */
export class TurnTranslator {
  #nextItem = 0;
  /** Engine's id → ours, of items that have started and not ended. */
  readonly #running = new Map<string, string>();
  #plan: { id: string; items: TodoItem[] } | undefined;
  #usage: Usage = noUsage;
  #lastError: string | undefined;
  #isOver = false;

  /** The turn's end has come, and that of everything it had started. */
  get isFinished(): boolean {
    return this.#isOver && this.#running.size === 0;
  }

  /** A notice that exec shows as an item of its own. */
  translateNotice(message: string): ThreadEvent {
    return { type: "item.completed", item: { id: this.#takeId(), type: "error", message } };
  }

  /** @returns the events in order; none for most notifications */
  translate({ method, params }: ServerNotification): ThreadEvent[] {
    switch (method) {
      case "turn/started":
        return [{ type: "turn.started" }];
      case "item/started":
        return this.#startItem(params.item);
      case "item/completed":
        return this.#completeItem(params.item);
      case "turn/plan/updated":
        return this.#updatePlan(params);
      case "thread/tokenUsage/updated":
        this.#usage = translateUsage(params.tokenUsage.total);
        return [];
      case "error":
        this.#lastError = formatError(params.error);
        return [{ type: "error", message: this.#lastError }];
      case "model/rerouted":
        return [this.translateNotice(formatReroute(params))];
      case "turn/completed":
        return this.#completeTurn(params.turn);
      default:
        return [];
    }
  }

  #startItem(item: EngineItem): ThreadEvent[] {
    // Exec shows texts when they are finished.
    if (item.type === "agentMessage" || item.type === "reasoning") return [];
    const translated = translateItem(item);
    if (translated === undefined) return [];
    const known = this.#running.get(item.id);
    const id = known ?? this.#takeId();
    this.#running.set(item.id, id);
    const isUpdate = known !== undefined && item.type === "fileChange";
    return [{ type: isUpdate ? "item.updated" : "item.started", item: number(id, translated) }];
  }

  #completeItem(item: EngineItem): ThreadEvent[] {
    const translated = translateItem(item);
    if (translated === undefined) return [];
    const id = this.#running.get(item.id) ?? this.#takeId();
    this.#running.delete(item.id);
    return [{ type: "item.completed", item: number(id, translated) }];
  }

  #updatePlan({ plan }: ParamsOf<"turn/plan/updated">): ThreadEvent[] {
    const items = plan.map(({ step, status }) => ({ text: step, completed: status === "completed" }));
    const type = this.#plan === undefined ? "item.started" : "item.updated";
    this.#plan = { id: this.#plan?.id ?? this.#takeId(), items };
    return [{ type, item: { ...this.#plan, type: "todo_list" } }];
  }

  #completeTurn(turn: ParamsOf<"turn/completed">["turn"]): ThreadEvent[] {
    this.#isOver = true;
    const events: ThreadEvent[] = [];
    if (this.#plan !== undefined) {
      events.push({ type: "item.completed", item: { ...this.#plan, type: "todo_list" } });
      this.#plan = undefined;
    }
    for (const item of turn.items) {
      if (this.#running.has(item.id)) events.push(...this.#completeItem(item));
    }
    if (turn.status === "completed") events.push({ type: "turn.completed", usage: this.#usage });
    if (turn.status === "failed") {
      const message = turn.error === null ? (this.#lastError ?? "turn failed") : formatError(turn.error);
      events.push({ type: "turn.failed", error: { message } });
    }
    return events;
  }

  #takeId(): string {
    return `item_${this.#nextItem++}`;
  }
}

/** What exec shows of something that has a main sentence and perhaps more to say. */
export function joinDetails(message: string, details: string | null | undefined): string {
  return details ? `${message} (${details})` : message;
}

function formatError({ message, additionalDetails }: ParamsOf<"error">["error"]): string {
  return joinDetails(message, additionalDetails);
}

function formatReroute({ fromModel, toModel, reason }: ParamsOf<"model/rerouted">): string {
  const name = reason.replace(/^./, (letter) => letter.toUpperCase());
  return `model rerouted: ${fromModel} -> ${toModel} (${name})`;
}

/** The keys in the order in which exec prints them. */
function number(id: string, item: UnnumberedItem): ThreadItem {
  return { id, ...item } as ThreadItem;
}
