import type { ServerNotification } from "@codex-js/protocol";
import { joinDetails } from "./translate-turn.ts";
import { TurnUsageMeter } from "./usage.ts";

/** What the engine says of a thread beside its turns. */
interface ThreadNotes {
  /** Said when the thread was loaded: exec, which loads it anew for each turn, says it in each. */
  loading: string[];
  /** Said since the last turn; becomes part of `loading` when the first turn starts. */
  pending: string[];
  hasRun: boolean;
  meter: TurnUsageMeter;
}

/**
 * Remembers warnings and token counts as they come in, apart from the turns that show them: an engine
 * that stays up says many of them once, `codex exec` with each turn.
 */
export class ThreadNotices {
  #config: string[] = [];
  /** Deprecations, which name no thread: they are said while one is being loaded. */
  #unclaimed: string[] = [];
  readonly #threads = new Map<string, ThreadNotes>();

  /** A new engine says everything again. */
  reset(): void {
    this.#config = [];
    this.#unclaimed = [];
    this.#threads.clear();
  }

  /** The engine has just loaded a thread. */
  claim(threadId: string): void {
    this.#of(threadId).pending.push(...this.#unclaimed.splice(0));
  }

  note({ method, params }: ServerNotification): void {
    switch (method) {
      case "configWarning":
        this.#config.push(joinDetails(params.summary, params.details));
        break;
      case "deprecationNotice":
        this.#unclaimed.push(joinDetails(params.summary, params.details));
        break;
      case "warning":
      case "guardianWarning":
        if (params.threadId !== null) this.#of(params.threadId).pending.push(params.message);
        break;
      case "turn/started": {
        const notes = this.#of(params.threadId);
        if (!notes.hasRun) this.claim(params.threadId);
        if (!notes.hasRun) notes.loading = notes.pending;
        notes.pending = notes.hasRun ? notes.pending : [];
        notes.hasRun = true;
        notes.meter.startTurn();
        break;
      }
      case "thread/tokenUsage/updated":
        this.#of(params.threadId).meter.update(params.tokenUsage);
        break;
    }
  }

  /** What exec says before a turn starts. */
  takeForTurn(threadId: string): string[] {
    const notes = this.#of(threadId);
    const own = notes.pending.splice(0).filter((message) => !notes.loading.includes(message));
    // What the configuration's loading warns of, exec says twice: for the process and for the thread.
    // The rest of the app-server's own warnings it does not have.
    const fromConfig = this.#config.filter((message) => notes.loading.includes(message));
    return [...fromConfig, ...notes.loading, ...own];
  }

  meterOf(threadId: string): TurnUsageMeter {
    return this.#of(threadId).meter;
  }

  #of(threadId: string): ThreadNotes {
    let notes = this.#threads.get(threadId);
    if (notes === undefined) {
      notes = { loading: [], pending: [], hasRun: false, meter: new TurnUsageMeter() };
      this.#threads.set(threadId, notes);
    }
    return notes;
  }
}
