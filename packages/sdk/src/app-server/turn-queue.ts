import type { ServerNotification } from "@codex-js/protocol";

export interface TurnQueueOptions {
  /** Events that may wait before deltas are merged; default 64. */
  mergeFrom?: number;
  /** Characters of deltas that may wait; past it they are dropped, for the finished item has their text. Default 4 Mi. */
  maxDeltaChars?: number;
}

/** Of these only the last one counts, for each holds all that the earlier ones said. */
const cumulativeMethods: ReadonlySet<string> = new Set([
  "turn/diff/updated",
  "turn/plan/updated",
  "thread/tokenUsage/updated",
  "thread/status/changed",
  "item/fileChange/patchUpdated",
]);

interface Entry {
  event: ServerNotification;
  mergeKey: string | undefined;
}

interface Waiter {
  resolve(result: IteratorResult<ServerNotification, undefined>): void;
  reject(error: unknown): void;
}

/**
 * The events of one turn on their way to one consumer, who may be slow: the connection goes on reading,
 * so the engine never stalls. What waits is bounded by merging deltas of the same item and by keeping
 * the last of cumulative events; items, errors and the turn's end are never dropped.
 */
export class TurnQueue implements AsyncIterableIterator<ServerNotification, undefined, undefined> {
  readonly #mergeFrom: number;
  readonly #maxDeltaChars: number;
  readonly #onReturn: () => void;
  #entries: Entry[] = [];
  #head = 0;
  readonly #byMergeKey = new Map<string, Entry>();
  readonly #waiters: Waiter[] = [];
  #deltaChars = 0;
  #droppedDeltaChars = 0;
  #end: { error?: unknown } | undefined;

  /** @param onReturn called when the consumer leaves before the end */
  constructor(options: TurnQueueOptions = {}, onReturn: () => void = () => {}) {
    this.#mergeFrom = options.mergeFrom ?? 64;
    this.#maxDeltaChars = options.maxDeltaChars ?? 4 * 1024 * 1024;
    this.#onReturn = onReturn;
  }

  /** Events that wait. */
  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** Characters of deltas that a slow consumer has missed. */
  get droppedDeltaChars(): number {
    return this.#droppedDeltaChars;
  }

  push(event: ServerNotification): void {
    if (this.#end !== undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve({ done: false, value: event });
      return;
    }
    const delta = readDelta(event);
    const mergeKey = toMergeKey(event, delta);
    if (delta !== undefined && this.#deltaChars + delta.length > this.#maxDeltaChars) {
      this.#droppedDeltaChars += delta.length;
      return;
    }
    this.#deltaChars += delta?.length ?? 0;
    const earlier =
      mergeKey === undefined || this.size < this.#mergeFrom ? undefined : this.#byMergeKey.get(mergeKey);
    if (earlier !== undefined) {
      earlier.event = delta === undefined ? event : appendDelta(earlier.event, delta);
      return;
    }
    const entry: Entry = { event, mergeKey };
    this.#entries.push(entry);
    if (mergeKey !== undefined) this.#byMergeKey.set(mergeKey, entry);
  }

  /** Ends the iteration after what waits. */
  finish(): void {
    this.#close({});
  }

  /** Makes the iteration throw `error` after what waits; the first end counts. */
  fail(error: unknown): void {
    this.#close({ error });
  }

  next(): Promise<IteratorResult<ServerNotification, undefined>> {
    const entry = this.#entries[this.#head];
    if (entry !== undefined) return Promise.resolve({ done: false, value: this.#take(entry) });
    if (this.#end === undefined) {
      return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
    }
    const { error } = this.#end;
    // It throws once; afterwards it is an iterator that has ended.
    this.#end = {};
    return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
  }

  return(): Promise<IteratorResult<ServerNotification, undefined>> {
    const isEarly = this.#end === undefined;
    this.#entries = [];
    this.#head = 0;
    this.#byMergeKey.clear();
    this.#close({});
    this.#end = {};
    if (isEarly) this.#onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(entry: Entry): ServerNotification {
    if (++this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries.splice(0, this.#head);
      this.#head = 0;
    }
    this.#deltaChars -= readDelta(entry.event)?.length ?? 0;
    if (entry.mergeKey !== undefined && this.#byMergeKey.get(entry.mergeKey) === entry) {
      this.#byMergeKey.delete(entry.mergeKey);
    }
    return entry.event;
  }

  #close(end: { error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    for (const [index, waiter] of this.#waiters.splice(0).entries()) {
      if (index === 0 && end.error !== undefined) {
        this.#end = {};
        waiter.reject(end.error);
      } else waiter.resolve({ done: true, value: undefined });
    }
  }
}

/** The text that an event adds to an item; undefined for every other event. */
function readDelta(event: ServerNotification): string | undefined {
  if (!/delta$/i.test(event.method)) return undefined;
  const { delta } = event.params as { delta?: unknown };
  return typeof delta === "string" ? delta : undefined;
}

function toMergeKey(event: ServerNotification, delta: string | undefined): string | undefined {
  const isCumulative = cumulativeMethods.has(event.method);
  if (delta === undefined && !isCumulative) return undefined;
  const { itemId, contentIndex, summaryIndex } = event.params as Record<string, unknown>;
  return JSON.stringify([event.method, itemId, contentIndex, summaryIndex]);
}

function appendDelta(event: ServerNotification, delta: string): ServerNotification {
  const params = event.params as { delta: string };
  return { ...event, params: { ...params, delta: params.delta + delta } } as ServerNotification;
}
