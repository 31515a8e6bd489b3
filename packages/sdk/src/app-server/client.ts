import type { ServerNotification } from "@codex-js/protocol";
import { checkSignal } from "../check-options.ts";
import {
  CodexError,
  createAbortError,
  createClosedError,
  EngineCrashedError,
  RequestTimeoutError,
} from "../errors.ts";
import { createRedactor, type Redact } from "../redact.ts";
import { TurnLine } from "../turn-line.ts";
import { awaitQuietThread, type ThreadLock } from "./await-quiet-thread.ts";
import type { Connection, ConnectionOptions, Introduction, RequestOptions } from "./connection.ts";
import type { Deadlines, OverloadRetry } from "./deadlines.ts";
import type { EngineLink, EngineState, EngineStateChange, ReadyEngine } from "./engine-link.ts";
import { EngineProcess, type EngineProcessOptions } from "./engine-process.ts";
import {
  type EngineInput,
  type EngineTurn,
  type Method,
  type MethodParams,
  type MethodResult,
  type NotificationMethod,
  type NotificationOf,
  type RequestArguments,
  readThreadId,
  readTurnId,
  type ServerRequestMethod,
} from "./protocol.ts";
import { RemoteEngine, type RemoteEngineOptions } from "./remote-engine.ts";
import { defaultRestartPolicy } from "./restart-limit.ts";
import { RunningTurn } from "./running-turn.ts";
import { createServerRequestHandlers, type ServerRequestHandler, untilAborted } from "./server-requests.ts";
import { locateSharedServer, sharedAttempts } from "./shared/locate-shared-server.ts";
import type { SharedServerOptions } from "./shared/shared-options.ts";
import { createThreadLock } from "./shared/thread-lock.ts";
import { ThreadRegistry } from "./thread-registry.ts";
import type { WebSocketOptions } from "./transport/websocket.ts";
import type { TurnQueueOptions } from "./turn-queue.ts";
import { warnOfHandler } from "./warn-of-handler.ts";

/** What both ways to an engine share. */
export interface ClientOptions {
  /** Default: a minute for most requests, see {@link Deadlines}. */
  deadlines?: Deadlines;
  /** Default: six times within some ten seconds. */
  overloadRetry?: OverloadRetry;
  /**
   * Gets what a handler or listener threw, whose question was refused; default: `process.emitWarning`.
   */
  onListenerError?: (error: unknown) => void;
  /** How much of a turn waits for a consumer that is slow. */
  turnQueue?: TurnQueueOptions;
  /** Milliseconds from the interruption of a turn to its end; default 5,000. */
  interruptTimeoutMs?: number;
  /**
   * Milliseconds that an engine which has let an interruption or a deadline pass has to answer anything at all;
   * default 2,000. One that does not has crashed: it is ended, or, where it is not this client's own, left.
   */
  pulseTimeoutMs?: number;
  /** @internal Must not get into an error; the keys that a login is given are added to it. */
  secrets?: Set<string | undefined>;
  /** @internal Where other programs start turns on the same threads. */
  lockThread?: ThreadLock;
}

export type StdioClientOptions = ClientOptions & Omit<EngineProcessOptions, "connection">;
export type SharedClientOptions = ClientOptions &
  SharedServerOptions &
  Omit<RemoteEngineOptions, "connection" | "locate" | "attempts" | "token">;
export type RemoteClientOptions = ClientOptions &
  WebSocketOptions &
  Omit<RemoteEngineOptions, "connection" | "locate" | "attempts" | "restart">;

/** Which notifications a listener gets; what is left out matches all. */
export interface NotificationFilter<M extends NotificationMethod = NotificationMethod> {
  method?: M;
  threadId?: string;
  turnId?: string;
}

export interface StartTurnOptions {
  /**
   * Aborting interrupts the turn; `events` and `completed` end with an AbortError at once. The turn's
   * commands are ended too where `introduction.experimentalApi` is on; the engine by itself leaves them.
   */
  signal?: AbortSignal;
  /** Milliseconds for the answer to `turn/start`; default that of every request. */
  timeoutMs?: number;
  /**
   * How often the turn is started once more when the engine goes away before it has acknowledged it;
   * default 0. A turn that was acknowledged is never run twice.
   */
  retries?: number;
}

/** What makes the engine run a turn. */
export type TurnMethod = "turn/start" | "review/start" | "thread/compact/start";

interface TurnStart {
  method: TurnMethod;
  params: { threadId: string };
}

/** What came out of a turn. */
export interface TurnResult {
  /** As `turn/completed` has it, but with every completed item. */
  turn: EngineTurn;
  /** The text of the last agent message; empty if there was none. */
  finalResponse: string;
  /** The thread's total and the last response's; null where the engine did not say. */
  tokenUsage: NotificationOf<"thread/tokenUsage/updated">["params"]["tokenUsage"] | null;
}

/** A turn that the engine has acknowledged. */
export interface TurnHandle {
  readonly threadId: string;
  readonly id: string;
  /**
   * What the engine tells of this turn and its thread until `turn/completed`, for one consumer. Throws
   * when the turn's end cannot be known any more; leaving it early interrupts the turn.
   */
  readonly events: AsyncIterableIterator<ServerNotification, undefined, undefined>;
  /** The turn as `turn/completed` has it, failed and interrupted ones included. Its `items` are a summary. */
  readonly completed: Promise<EngineTurn>;
  /** Resolves when the engine is done with the turn, an aborted one included; never rejects. */
  readonly settled: Promise<void>;
  /**
   * Waits for the turn's end; `events` need not be read.
   * @throws CodexError CODEX_JS_SDK_TURN_FAILED when the turn failed, and what `completed` rejects with
   */
  result(): Promise<TurnResult>;
  /** Adds input to the running turn. */
  steer(input: string | EngineInput): Promise<void>;
  /** Stops the turn and waits for its end. */
  interrupt(): Promise<void>;
}

/** These work without the thread in the engine's memory, or load it themselves. */
const worksUnloaded: ReadonlySet<string> = new Set([
  "thread/resume",
  "thread/read",
  "thread/fork",
  "thread/archive",
  "thread/unarchive",
  "thread/delete",
  "thread/unsubscribe",
  "thread/name/set",
  "thread/turns/list",
  "thread/items/list",
]);

const defaultInterruptTimeoutMs = 5_000;
const defaultPulseTimeoutMs = 2_000;

type Listener = { filter: NotificationFilter; listener: (notification: never) => void };

/**
 * A client of one engine that outlives the engine: after a crash the next call starts or joins a new one
 * and loads the thread it is about.
 */
export class AppServerClient implements AsyncDisposable {
  readonly #options: ClientOptions;
  /** Takes what must not get into an error out of a text. */
  readonly redact: Redact;
  readonly #link: EngineLink;
  readonly #endsTurns: boolean;
  readonly #endsCommands: boolean;
  readonly #handlers = createServerRequestHandlers();
  readonly #threads = new ThreadRegistry();
  readonly #turns = new Map<string, RunningTurn>();
  /** The turn that runs on a thread, whoever has started it. */
  readonly #running = new Map<string, string>();
  /** By thread. */
  readonly #line = new TurnLine();
  /** Turns that did not end when they were told to; the engine may still add to them. */
  readonly #abandoned = new Set<string>();
  readonly #listeners = new Set<Listener>();
  #isClosed = false;

  private constructor(
    options: ClientOptions & { introduction: Introduction },
    endsTurns: boolean,
    createLink: (connection: () => ConnectionOptions) => EngineLink,
  ) {
    this.#options = options;
    this.#endsCommands = options.introduction.experimentalApi === true;
    this.#endsTurns = endsTurns;
    const { deadlines, overloadRetry, onListenerError, secrets } = options;
    this.redact = createRedactor(secrets ?? []);
    this.#link = createLink(() => ({
      handlers: this.#handlers,
      onNotification: (notification) => this.#dispatch(notification),
      ...(deadlines && { deadlines }),
      ...(overloadRetry && { overloadRetry }),
      ...(onListenerError && { onListenerError }),
      ...(secrets && { secrets }),
    }));
  }

  /** A client with an engine process of its own, started with the first call. */
  static overStdio(options: StdioClientOptions): AppServerClient {
    const own = { secrets: new Set<string | undefined>(), ...options };
    return new AppServerClient(own, true, (connection) => new EngineProcess({ ...own, connection }));
  }

  /**
   * A client of the server that all programs of this user with the same CODEX_HOME share; it is started
   * when there is none. Closing leaves it and running turns running.
   */
  static overShared(options: SharedClientOptions): AppServerClient {
    return new AppServerClient(
      { lockThread: createThreadLock(options), ...options },
      false,
      (connection) =>
        new RemoteEngine({
          restart: defaultRestartPolicy,
          ...options,
          locate: (signal) => locateSharedServer(options, signal),
          attempts: sharedAttempts,
          connection,
        }),
    );
  }

  /** A client of a server that others may share; closing it leaves running turns running. */
  static overWebSocket(options: RemoteClientOptions): AppServerClient {
    return new AppServerClient(
      options,
      false,
      (connection) => new RemoteEngine({ ...options, locate: () => ({ url: options.url }), connection }),
    );
  }

  get state(): EngineState {
    return this.#link.state;
  }

  onStateChange(listener: (change: EngineStateChange) => void): () => void {
    return this.#link.onStateChange(listener);
  }

  /** Starts or joins the engine now instead of with the first call. */
  start(): Promise<ReadyEngine> {
    return this.#link.ensure();
  }

  /**
   * Keeps the host running until the returned function is called, for example while a notification is
   * waited for. Without a pending request or running turn, an idle engine does not.
   */
  async hold(): Promise<() => void> {
    return (await this.#link.ensure()).connection.hold();
  }

  /** Any method of the engine. A thread that was lost with an earlier engine is loaded first. */
  request<M extends Method>(
    method: M,
    ...[params, options]: RequestArguments<M, RequestOptions>
  ): Promise<MethodResult<M>> {
    return this.requestUntyped(method, params, options) as Promise<MethodResult<M>>;
  }

  /** {@link request} for methods that the stable protocol does not name. */
  async requestUntyped(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    checkSignal(options.signal);
    const engine = await untilAborted(this.#link.ensure(), options.signal);
    const threadId = readThreadId(params);
    if (
      threadId !== undefined &&
      !worksUnloaded.has(method) &&
      this.#threads.needsResume(threadId, engine.generation)
    ) {
      await untilAborted(this.#threads.resume(engine, threadId), options.signal);
    }
    const result = await engine.connection.requestUntyped(method, params, options).catch((error) => {
      if (error instanceof RequestTimeoutError) void this.#checkPulse(engine.connection);
      throw error;
    });
    this.#threads.note(method, params, result, engine.generation);
    return result;
  }

  /** Calls `listener` for every notification of a method; returns a function that ends this. */
  onNotification<M extends NotificationMethod>(
    filter: M | NotificationFilter<M>,
    listener: (notification: NotificationOf<M>) => void,
  ): () => void {
    const entry: Listener = { filter: typeof filter === "string" ? { method: filter } : filter, listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Answers one kind of question, for all threads or for one; returns a function that ends this. */
  onServerRequest<M extends ServerRequestMethod>(
    method: M,
    handler: ServerRequestHandler<M>,
    threadId?: string,
  ): () => void {
    return this.#handlers.on(method, handler, threadId);
  }

  /**
   * Starts a turn once every earlier turn of its thread has ended: on a thread with an active turn the
   * engine would take it as more input for that one.
   * @throws CodexError what the engine refuses, or why the turn's end will not be known
   */
  startTurn(params: MethodParams<"turn/start">, options: StartTurnOptions = {}): Promise<TurnHandle> {
    return this.startTurnBy("turn/start", params, options);
  }

  /** {@link startTurn} for every method that makes the engine run a turn on the thread. */
  async startTurnBy<M extends TurnMethod>(
    method: M,
    params: MethodParams<M> & { threadId: string },
    options: StartTurnOptions = {},
  ): Promise<TurnHandle> {
    checkSignal(options.signal);
    const { threadId } = params;
    const leave = await this.#line.enter(threadId, options.signal);
    try {
      const turn = await this.#startWithRetries({ method, params }, options);
      turn.settled.then(leave);
      return this.#createHandle(turn);
    } catch (error) {
      const turn = this.#turns.get(threadId);
      if (turn === undefined) leave();
      else turn.settled.then(leave);
      throw error;
    }
  }

  /**
   * Interrupts the turns of its own engine, waits for their end, and closes; everything pending fails.
   * A shared server and its turns go on.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const timeoutMs = Math.min(this.#interruptTimeoutMs, 2_000);
    if (this.#endsTurns) {
      await Promise.allSettled(
        [...this.#turns.values()].map((turn) => turn.interrupt(timeoutMs, this.#endsCommands)),
      );
    }
    for (const turn of this.#turns.values()) turn.fail(createClosedError());
    await this.#link.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #startWithRetries(start: TurnStart, options: StartTurnOptions): Promise<RunningTurn> {
    const { threadId } = start.params;
    for (let retry = 0; ; retry++) {
      let turn: RunningTurn | undefined;
      try {
        const engine = await untilAborted(this.#link.ensure(), options.signal);
        if (!this.#threads.isKnown(threadId) || this.#threads.needsResume(threadId, engine.generation)) {
          await untilAborted(this.#threads.resume(engine, threadId), options.signal);
        }
        const unlock = this.#endsTurns ? undefined : await this.#awaitQuiet(engine, threadId, options.signal);
        try {
          if (this.#isClosed) throw createClosedError();
          turn = this.#openTurn(threadId, engine);
          await this.#acknowledge(turn, this.#endsTurns ? start : markInput(start, turn), options);
        } finally {
          // Others see the turn once it has begun.
          if (turn?.isSettled ?? true) await unlock?.();
          else turn?.begun.then(unlock);
        }
        return turn;
      } catch (error) {
        const isLost =
          turn === undefined || (turn.connection.cause !== undefined && turn.seenId === undefined);
        const isGone = error instanceof CodexError && lostCodes.has(error.code);
        if (!isLost || !isGone || this.#isClosed || retry >= (options.retries ?? 0)) throw error;
      }
    }
  }

  #awaitQuiet({ connection }: ReadyEngine, threadId: string, signal: AbortSignal | undefined) {
    const onTurnEnd = (listener: () => void) =>
      this.onNotification({ method: "turn/completed", threadId }, listener);
    return awaitQuietThread(connection, { threadId, onTurnEnd, lock: this.#options.lockThread, signal });
  }

  /** Registers where the turn's events go, before the engine can send any. */
  #openTurn(threadId: string, { connection }: ReadyEngine): RunningTurn {
    const interrupt = () => void this.#interrupt(turn).catch(() => {});
    const turn = new RunningTurn(threadId, connection, this.#options.turnQueue ?? {}, interrupt);
    const release = connection.hold();
    turn.earlierId = this.#running.get(threadId);
    this.#turns.set(threadId, turn);
    turn.settled.then(() => {
      release();
      if (this.#turns.get(threadId) === turn) this.#turns.delete(threadId);
    });
    return turn;
  }

  async #acknowledge(turn: RunningTurn, start: TurnStart, options: StartTurnOptions): Promise<void> {
    const { signal, timeoutMs } = options;
    const abort = () => {
      turn.abort(createAbortError(signal!));
      this.#stopTurn(turn);
    };
    const answered = turn.connection
      .requestUntyped(start.method, start.params, timeoutMs === undefined ? {} : { timeoutMs })
      .then((result) => {
        // Compaction is answered without a turn, by some engines so is any (openai/codex-plugin-cc#781).
        const id = readTurnId(result);
        if (id !== undefined && this.#abandoned.has(id)) {
          throw new CodexError(
            "CODEX_JS_SDK_REQUEST_FAILED",
            `thread ${turn.threadId} still runs turn ${id}, which did not end when it was interrupted`,
          );
        }
        this.#threads.noteRun(turn.threadId);
        turn.start(id);
        if (signal?.aborted) this.#stopTurn(turn);
        return turn.id === undefined ? this.#awaitId(turn) : undefined;
      });
    signal?.addEventListener("abort", abort, { once: true });
    turn.settled.then(() => signal?.removeEventListener("abort", abort));
    try {
      await untilAborted(answered, signal);
    } catch (error) {
      if (signal?.aborted) {
        answered.catch((cause) => turn.fail(cause));
        throw error;
      }
      if (error instanceof RequestTimeoutError) void this.#checkPulse(turn.connection);
      if (turn.seenId !== undefined) this.#stopTurn(turn);
      turn.fail(error);
      await turn.settled;
      throw turn.connection.cause === undefined ? error : await turn.completed.catch((cause) => cause);
    }
  }

  /** Waits for the event that names the turn. */
  async #awaitId(turn: RunningTurn): Promise<void> {
    while (turn.id === undefined && !turn.isSettled) {
      const seen = new Promise<void>((resolve) => {
        const stop = this.onNotification({ method: "turn/started", threadId: turn.threadId }, () => {
          stop();
          resolve();
        });
      });
      await Promise.race([seen, turn.settled]);
      turn.start(undefined);
    }
  }

  #stopTurn(turn: RunningTurn): void {
    const id = turn.seenId;
    this.#interrupt(turn).catch(() => {
      if (id !== undefined) this.#abandoned.add(id);
    });
  }

  async #interrupt(turn: RunningTurn): Promise<void> {
    try {
      await turn.interrupt(this.#interruptTimeoutMs, this.#endsCommands);
    } catch (error) {
      void this.#checkPulse(turn.connection);
      throw error;
    }
  }

  /** Gives up an engine that answers nothing: the next call starts or joins another. */
  async #checkPulse(connection: Connection): Promise<void> {
    const timeoutMs = this.#options.pulseTimeoutMs ?? defaultPulseTimeoutMs;
    try {
      await connection.requestUntyped("config/read", {}, { timeoutMs });
    } catch (error) {
      if (!(error instanceof RequestTimeoutError)) return;
      const message = `the engine answered nothing for ${timeoutMs} ms`;
      connection.close(
        this.#endsTurns
          ? new EngineCrashedError({ exitCode: null, signal: "SIGKILL", stderr: message }, undefined, error)
          : new CodexError("CODEX_JS_SDK_CONNECTION_CLOSED", message, { cause: error }),
      );
    }
  }

  get #interruptTimeoutMs(): number {
    return this.#options.interruptTimeoutMs ?? defaultInterruptTimeoutMs;
  }

  #createHandle(turn: RunningTurn): TurnHandle {
    return {
      threadId: turn.threadId,
      id: turn.id!,
      events: turn.queue,
      completed: turn.completed,
      settled: turn.settled,
      result: () => turn.readResult(),
      steer: (input) => turn.steer(toUserInput(input)),
      interrupt: () => this.#interrupt(turn),
    };
  }

  #dispatch(notification: ServerNotification): void {
    const { method, params } = notification;
    const threadId = readThreadId(params);
    if (threadId !== undefined) {
      if (method === "thread/closed") this.#threads.unload(threadId);
      if (method === "turn/started") this.#running.set(threadId, params.turn.id);
      if (method === "turn/completed" || method === "thread/closed") this.#running.delete(threadId);
      this.#turns.get(threadId)?.deliver(notification);
    }
    for (const { filter, listener } of this.#listeners) {
      if (filter.method !== undefined && filter.method !== method) continue;
      if (filter.threadId !== undefined && filter.threadId !== threadId) continue;
      if (filter.turnId !== undefined && filter.turnId !== readTurnId(params)) continue;
      this.#call(listener, notification);
    }
  }

  #call(listener: (notification: never) => void, notification: ServerNotification): void {
    try {
      listener(notification as never);
    } catch (error) {
      warnOfHandler(error, this.#options.onListenerError);
    }
  }
}

/** Names the turn's input, by which it is found out whether the turn is ours. */
function markInput({ method, params }: TurnStart, turn: RunningTurn): TurnStart {
  if (method !== "turn/start") return { method, params };
  const { clientUserMessageId } = params as MethodParams<"turn/start">;
  turn.inputId = clientUserMessageId ?? crypto.randomUUID();
  return { method, params: { ...params, clientUserMessageId: turn.inputId } as typeof params };
}

/** A prompt as the protocol takes it. */
export function toUserInput(input: string | EngineInput): EngineInput {
  return typeof input === "string" ? [{ type: "text", text: input, text_elements: [] }] : input;
}

/** After these nothing of a turn that was not acknowledged is known to have run. */
const lostCodes: ReadonlySet<string> = new Set([
  "CODEX_JS_SDK_ENGINE_CRASHED",
  "CODEX_JS_SDK_ENGINE_NOT_STARTED",
  "CODEX_JS_SDK_CONNECTION_CLOSED",
]);
