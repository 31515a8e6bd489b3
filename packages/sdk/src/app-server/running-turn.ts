import type { ServerNotification, Turn, UserInput } from "@codex-js/protocol";
import { CodexError, EngineCrashedError, RpcError } from "../errors.ts";
import type { TurnResult } from "./client.ts";
import type { Connection } from "./connection.ts";
import { readTurnId } from "./protocol.ts";
import { TurnQueue, type TurnQueueOptions } from "./turn-queue.ts";

/** One turn between `turn/start` and its end. */
export class RunningTurn {
  readonly threadId: string;
  readonly connection: Connection;
  readonly queue: TurnQueue;
  /** Resolves with the turn of `turn/completed`; rejects when the turn's end will not be known, or is not wanted. */
  readonly completed: Promise<Turn>;
  /** Resolves when the engine is done with the turn, for better or worse; never rejects. */
  readonly settled: Promise<void>;
  /** What `turn/start` called its input, where others may start turns on the thread too. */
  inputId: string | undefined;
  /** A turn that ran on the thread before this one was asked for, as far as the events had told by then. */
  earlierId: string | undefined;
  /** The first input of the turn, if it has no name. */
  #otherInput: string | undefined;
  #id: string | undefined;
  /** Events that came before the turn's id was known; another client's turn may be among them. */
  #early: ServerNotification[] | undefined = [];
  #resolve!: (turn: Turn) => void;
  #reject!: (error: unknown) => void;
  #settle!: () => void;
  readonly #items: Turn["items"] = [];
  #tokenUsage: TurnResult["tokenUsage"] = null;
  #isSettled = false;
  /** Resolves when the engine has begun, or is done; until then it knows no active turn. */
  readonly begun: Promise<void>;
  #activate!: () => void;
  /** The engine's numbers of the commands that run, by item. */
  readonly #commands = new Map<string, string>();

  constructor(
    threadId: string,
    connection: Connection,
    queueOptions: TurnQueueOptions,
    onReturn: () => void,
  ) {
    this.threadId = threadId;
    this.connection = connection;
    this.queue = new TurnQueue(queueOptions, onReturn);
    this.completed = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Nobody has to wait for it: the iteration throws the same error.
    this.completed.catch(() => {});
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.begun = new Promise((resolve) => {
      this.#activate = resolve;
    });
    connection.closed.then((cause) => this.fail(cause));
  }

  get id(): string | undefined {
    return this.#id;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** The turn's id; before it is known, that of a turn that has begun on the thread since this one was asked for. */
  get seenId(): string | undefined {
    if (this.#id !== undefined) return this.#id;
    const started = this.#early?.find(({ method }) => method === "turn/started");
    return started && readTurnId(started.params);
  }

  /** Takes the id from the answer to `turn/start`, or where it has none, from the events. */
  start(id: string | undefined): void {
    this.#id = id ?? this.seenId;
    if (this.#id === undefined) return;
    const early = this.#early ?? [];
    this.#early = undefined;
    if (this.inputId !== undefined && this.#id === this.earlierId) {
      this.fail(createBusyError(this.threadId, this.#id));
      return;
    }
    for (const event of early) this.deliver(event);
  }

  /** Takes an event of the thread. */
  deliver(event: ServerNotification): void {
    if (this.#isSettled) return;
    const turnId = readTurnId(event.params);
    if (this.#id === undefined) {
      this.#early!.push(event);
      return;
    }
    if (turnId !== undefined && turnId !== this.#id) return;
    if (this.#isForeign(event)) {
      this.fail(createBusyError(this.threadId, this.#id));
      return;
    }
    this.queue.push(event);
    this.#watchCommands(event);
    if (event.method === "item/completed") this.#items.push(event.params.item);
    if (event.method === "thread/tokenUsage/updated") this.#tokenUsage = event.params.tokenUsage;
    if (turnId !== undefined) this.#activate();
    if (event.method !== "turn/completed") return;
    this.#isSettled = true;
    this.queue.finish();
    this.#resolve(event.params.turn);
    this.#settle();
  }

  /** Ends the turn for this side; the first end counts. */
  fail(cause: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    // The cause is one for all; which turn it failed is told by an error of its own.
    const error =
      cause instanceof EngineCrashedError
        ? new EngineCrashedError(cause, { threadId: this.threadId, turnId: this.seenId }, cause)
        : cause;
    this.abort(error);
    this.#settle();
    this.#activate();
  }

  /** Lets the consumer go; the engine may not be done with the turn yet. */
  abort(error: unknown): void {
    this.queue.fail(error);
    this.#reject(error);
  }

  /** The finished turn, with all of its items. */
  async readResult(): Promise<TurnResult> {
    const turn = { ...(await this.completed), items: this.#items };
    if (turn.status === "failed") {
      const reason = this.connection.redact(turn.error?.message ?? "the turn failed");
      throw new CodexError("CODEX_JS_SDK_TURN_FAILED", reason);
    }
    const messages = turn.items.filter((item) => item.type === "agentMessage");
    return { turn, finalResponse: messages.at(-1)?.text ?? "", tokenUsage: this.#tokenUsage };
  }

  /** Adds input to the turn, as soon as the engine has begun with it. */
  async steer(input: UserInput[]): Promise<void> {
    await this.begun;
    const { threadId } = this;
    await this.connection.request("turn/steer", { threadId, input, expectedTurnId: this.#id! });
  }

  /**
   * Asks the engine to stop the turn and waits for its end. Between its answer to `turn/start` and
   * `turn/started` the engine refuses with "no active turn to interrupt" and then runs the turn. It also
   * leaves the turn's commands running (openai/codex#21994), to be ended one by one with `endCommands`:
   * that is an experimental method, so the connection must have opted in.
   * @throws CodexError CODEX_JS_SDK_REQUEST_TIMED_OUT when the end does not come
   *   (openai/codex#36926); the turn counts as failed then
   */
  async interrupt(timeoutMs: number, endCommands = false): Promise<void> {
    const turnId = this.seenId;
    if (this.#isSettled || turnId === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const message = `turn ${turnId} of thread ${this.threadId} did not end within ${timeoutMs} ms of being interrupted`;
      timer = setTimeout(() => reject(new CodexError("CODEX_JS_SDK_REQUEST_TIMED_OUT", message)), timeoutMs);
    });
    try {
      await Promise.race([this.begun, late]);
      const running = endCommands ? [...this.#commands.values()] : [];
      await Promise.race([this.#requestInterrupt(turnId), late]);
      await Promise.race([this.settled, late]);
      await Promise.race([this.#terminate(running), late]);
    } catch (error) {
      if (this.#isSettled) return;
      this.fail(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #requestInterrupt(turnId: string): Promise<void> {
    if (this.#isSettled) return;
    try {
      await this.connection.request("turn/interrupt", { threadId: this.threadId, turnId });
    } catch (error) {
      // A turn that has just ended by itself is none that can be interrupted; its end is on the way.
      if (!(error instanceof RpcError)) throw error;
    }
  }

  async #terminate(processIds: readonly string[]): Promise<void> {
    const { threadId, connection } = this;
    // One that has ended meanwhile is none that must be ended.
    await Promise.allSettled(
      processIds.map((processId) =>
        connection.requestUntyped("thread/backgroundTerminals/terminate", { threadId, processId }),
      ),
    );
  }

  /**
   * True when the turn has begun with somebody else's input: the engine answers a `turn/start` that came second
   * with the id of the turn that it has added the input to. One that does not know names of inputs has none.
   */
  #isForeign(event: ServerNotification): boolean {
    if (this.inputId === undefined) return false;
    if (event.method !== "item/started" && event.method !== "item/completed") return false;
    const { item } = event.params;
    if (item.type !== "userMessage") return false;
    const isOurs = item.clientId === this.inputId;
    const isOther = typeof item.clientId === "string" && !isOurs;
    if (isOther || (isOurs && this.#otherInput !== undefined)) return true;
    if (isOurs) this.inputId = undefined;
    else this.#otherInput ??= item.id;
    return false;
  }

  #watchCommands(event: ServerNotification): void {
    if (event.method !== "item/started" && event.method !== "item/completed") return;
    const { item } = event.params;
    if (item.type !== "commandExecution") return;
    if (event.method === "item/completed") this.#commands.delete(item.id);
    else if (item.processId !== null) this.#commands.set(item.id, item.processId);
  }
}

function createBusyError(threadId: string, turnId: string): CodexError {
  return new CodexError(
    "CODEX_JS_SDK_THREAD_BUSY",
    `another program started turn ${turnId} on thread ${threadId} at the same moment, and this input was added to it`,
  );
}
