import type { ServerNotification } from "@codex-js/protocol";
import type { Usage } from "../../events.ts";

type TokenUsage = Extract<
  ServerNotification,
  { method: "thread/tokenUsage/updated" }
>["params"]["tokenUsage"];

/** What exec reports of a turn that the engine gave no figures for. */
export const noUsage: Usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
};

export function translateUsage(tokens: TokenUsage["total"]): Usage {
  return {
    input_tokens: tokens.inputTokens,
    cached_input_tokens: tokens.cachedInputTokens,
    cache_write_input_tokens: tokens.cacheWriteInputTokens,
    output_tokens: tokens.outputTokens,
    reasoning_output_tokens: tokens.reasoningOutputTokens,
  };
}

/** Follows a thread's running total to tell what each turn has taken of it. */
export class TurnUsageMeter {
  #total: Usage | undefined;
  #before: Usage = noUsage;

  startTurn(): void {
    this.#before = this.#total ?? noUsage;
  }

  update({ total, last }: TokenUsage): void {
    // The first figure of a thread that was taken up again has its earlier turns in it.
    if (this.#total === undefined) this.#before = subtract(translateUsage(total), translateUsage(last));
    this.#total = translateUsage(total);
  }

  /** What the turn has taken up to now. */
  get turn(): Usage {
    return this.#total === undefined ? noUsage : subtract(this.#total, this.#before);
  }
}

function subtract(from: Usage, what: Usage): Usage {
  const entries = Object.entries(from) as [keyof Usage, number][];
  return Object.fromEntries(entries.map(([name, count]) => [name, count - what[name]])) as unknown as Usage;
}
