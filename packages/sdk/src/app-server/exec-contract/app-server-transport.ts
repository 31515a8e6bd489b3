import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { ClientBehaviour } from "../../client/options.ts";
import { createAbortError, createClosedError, RpcError } from "../../errors.ts";
import { isTerminalEvent, type ThreadEvent } from "../../events.ts";
import { createEnvironment } from "../../exec/environment.ts";
import { checkOutputSchema } from "../../exec/output-schema-file.ts";
import { checkImages, checkPrompt } from "../../input.ts";
import type { CodexOptions, ConnectOptions, SharedCodexOptions } from "../../options.ts";
import type { Redact } from "../../redact.ts";
import type { Transport, TurnRequest } from "../../transport.ts";
import { TurnLine } from "../../turn-line.ts";
import type { AppServerClient, TurnHandle } from "../client.ts";
import { createArguments, openOwn, openRemote, openShared } from "../open-client.ts";
import type { NotificationMethod } from "../protocol.ts";
import { untilAborted } from "../server-requests.ts";
import { checkPlace, createExecFailure, toContractError } from "./exec-failures.ts";
import { findThreadByName, isThreadId } from "./find-thread.ts";
import { refuseRequests } from "./refuse-requests.ts";
import { readStoredLogin } from "./stored-login.ts";
import { findHolder, forgetHolder, noteHolder } from "./thread-holders.ts";
import { ThreadNotices } from "./thread-notices.ts";
import {
  addConfiguredRoots,
  createThreadSettings,
  createTurnParams,
  type EngineConfig,
  leaveUntrusted,
  nameConfiguredModel,
  type ThreadSettings,
} from "./thread-params.ts";
import { TurnTranslator } from "./translate-turn.ts";

/** What exec does not show; the engine need not send it. */
const unwantedNotifications: readonly NotificationMethod[] = [
  "account/rateLimits/updated",
  "item/agentMessage/delta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "item/fileChange/patchUpdated",
  "item/plan/delta",
  "item/reasoning/summaryPartAdded",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/textDelta",
  "remoteControl/status/changed",
  "thread/readState/changed",
  "thread/status/changed",
  "turn/diff/updated",
];

/**
 * How many threads without a turn stay loaded. The engine starts every MCP server anew for each loaded thread,
 * and ends them a minute after the last client has let go of it (openai/codex#30408, #18881).
 */
const maxIdleThreads = 8;

interface LoadedThread {
  settings: ThreadSettings;
  isIdle: boolean;
  /** The engine was told to let go of it. */
  left?: Promise<unknown>;
}

/** Where a transport's turns run. */
export interface Place {
  /** Makes a client; once more after {@link AppServerTransport.release}. */
  open: (options: ClientBehaviour) => AppServerClient;
  /** Called before each turn, to find faults of the options that are faults of every turn. */
  check?: () => void;
  /** False where the engine's files may be those of another machine: nothing is looked up here then. */
  isLocal: boolean;
  /** Which login a turn would have if the engine were started for it; an engine keeps the one it began with. */
  readLogin?: () => string | undefined;
}

/** An engine of the client's own. */
export function ownPlace(options: CodexOptions): Place {
  const env = createEnvironment(options, []);
  return {
    open: (open) => openOwn(options, open),
    check: () => void createArguments(options),
    isLocal: true,
    ...(!env.CODEX_API_KEY && { readLogin: () => readStoredLogin(env) }),
  };
}

/** The server that programs share. */
export function sharedPlace(options: SharedCodexOptions): Place {
  return { open: (open) => openShared(options, open), isLocal: true };
}

/** A server that somebody else has started. */
export function remotePlace(url: string, options: ConnectOptions): Place {
  return {
    open: (open) => openRemote(url, options, open),
    isLocal: String(url).startsWith("unix:"),
  };
}

/** Runs turns on one engine that stays up, and shows of them what `codex exec` would. */
export class AppServerTransport implements Transport {
  #client: AppServerClient;
  readonly #place: Place;
  readonly redact: Redact = (text) => this.#client.redact(text);
  readonly #notices = new ThreadNotices();
  readonly #line = new TurnLine();
  /** The threads that the engine has in memory, the one that was used last at the end. */
  readonly #loaded = new Map<string, LoadedThread>();
  /** What the engine was started under. */
  #login: string | undefined;
  #replacing: Promise<void> | undefined;
  /** Turns whose thread is loaded and that are not over yet. */
  readonly #uses = new Set<Promise<void>>();
  #isClosed = false;

  /** @throws CodexError what making a client of this place throws */
  constructor(place: Place) {
    this.#place = place;
    this.#client = this.#createClient();
  }

  async *runTurn(request: TurnRequest): AsyncGenerator<ThreadEvent, void, undefined> {
    const { outputSchema, signal } = request.turnOptions;
    if (signal?.aborted) throw createAbortError(signal);
    if (outputSchema !== undefined) checkOutputSchema(outputSchema);
    if (this.#place.isLocal) checkImages(request.images);
    checkPrompt(request.prompt);
    this.#place.check?.();
    try {
      yield* this.#runTurn(request);
    } catch (error) {
      throw this.#isClosed && !signal?.aborted ? createClosedError() : toContractError(error, signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    forgetHolder(this);
    await this.#client.close();
  }

  /**
   * Lets go of the engine's threads, once its turns are over: an engine keeps a thread it has loaded to
   * itself for as long as it runs. The next turn starts another engine.
   */
  release(): Promise<void> {
    this.#replacing ??= this.#replace().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  async #replace(): Promise<void> {
    while (this.#uses.size > 0) await Promise.all(this.#uses);
    const old = this.#client;
    if (this.#isClosed || old.state === "idle") return;
    this.#loaded.clear();
    this.#client = this.#createClient();
    await old.close();
  }

  #createClient(): AppServerClient {
    const client = this.#place.open({ optOutNotificationMethods: unwantedNotifications });
    client.onStateChange(({ state }) => {
      if (state !== "starting") return;
      this.#notices.reset();
      this.#loaded.clear();
      this.#login = this.#place.readLogin?.();
    });
    client.onNotification({}, (notification) => this.#notices.note(notification));
    client.onNotification("thread/closed", ({ params }) => void this.#loaded.delete(params.threadId));
    refuseRequests(client);
    return client;
  }

  async *#runTurn(request: TurnRequest): AsyncGenerator<ThreadEvent, void, undefined> {
    const { signal } = request.turnOptions;
    const exits = [await this.#line.enter(request.thread, signal)];
    const leave = () => {
      for (const exit of exits.splice(0)) exit();
    };
    const translator = new TurnTranslator();
    let done: Promise<void> | undefined;
    try {
      const wanted = request.thread.id;
      if (wanted !== null) exits.push(await this.#line.enter(wanted, signal));
      const settings = createThreadSettings(request.threadOptions, this.#place.isLocal ? undefined : null);
      const { cwd } = settings;
      if (this.#place.isLocal && cwd) checkPlace(cwd, request.threadOptions.skipGitRepoCheck ?? false);
      const threadId = await this.#load(wanted, settings, request, exits);
      exits.push(() => this.#rest(threadId));
      if (threadId !== wanted) exits.push(await this.#line.enter(threadId, signal));
      yield { type: "thread.started", thread_id: threadId };
      const turn = await this.#client.startTurn(createTurnParams(threadId, request), pick(signal));
      done = turn.settled.then(() => this.#endCommands(turn, translator)).then(leave);
      yield* this.#readTurn(turn, translator);
    } finally {
      if (done === undefined) leave();
      // Whoever ends a turn early may count on its commands being gone.
      else await done;
    }
  }

  /** Commands that a turn has left running end with it, as they do when exec's process ends. */
  async #endCommands({ threadId, completed }: TurnHandle, translator: TurnTranslator): Promise<void> {
    if (translator.isFinished || this.#client.state !== "ready" || this.#isClosed) return;
    const failure = await completed.catch((error) => error);
    // They are those of somebody else's turn.
    if (failure.code === "CODEX_JS_SDK_THREAD_BUSY") return;
    await this.#client.requestUntyped("thread/backgroundTerminals/clean", { threadId }).catch(() => {});
  }

  /** Keeps the engine until the returned function is called. */
  #hold(): () => void {
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    this.#uses.add(held);
    return () => {
      this.#uses.delete(held);
      letGo();
    };
  }

  async *#readTurn(
    turn: TurnHandle,
    translator: TurnTranslator,
  ): AsyncGenerator<ThreadEvent, void, undefined> {
    let isOver = false;
    for await (const notification of turn.events) {
      if (notification.method === "turn/started") {
        for (const message of this.#notices.takeForTurn(turn.threadId)) {
          yield translator.translateNotice(message);
        }
      }
      for (const event of translator.translate(notification)) {
        if (event.type === "turn.completed") {
          event.turn_usage = this.#notices.meterOf(turn.threadId).turn;
        }
        isOver ||= isTerminalEvent(event);
        yield event;
      }
    }
    // Exec ends an interrupted turn without a word, and with exit code 1.
    if (!isOver) throw createExecFailure("");
  }

  /**
   * Sees to it that the engine has the thread, with these settings.
   * @param exits gets what lets go of the engine again, before anybody else can make it go
   */
  async #load(
    wanted: string | null,
    settings: ThreadSettings,
    request: TurnRequest,
    exits: (() => void)[],
  ): Promise<string> {
    const { signal } = request.turnOptions;
    const existing =
      wanted === null || isThreadId(wanted)
        ? (wanted ?? undefined)
        : await untilAborted(findThreadByName(this.#client, wanted, settings.cwd), signal);
    // That an engine has just died is known once the event loop has turned, which the second of these is
    // sure of; a turn that is sent to a dead engine is lost.
    await setImmediate();
    await setImmediate();
    const { readLogin } = this.#place;
    if (readLogin && this.#client.state === "ready" && readLogin() !== this.#login) {
      await untilAborted(this.release(), signal);
    }
    // The start goes on, for others and for the next turn.
    await untilAborted(this.#client.start(), signal);
    const loaded = this.#loaded.get(existing ?? "");
    // A thread that is loaded keeps its settings.
    if (loaded && !isDeepStrictEqual(loaded.settings, settings)) await untilAborted(this.release(), signal);
    else if (loaded?.left) await untilAborted(loaded.left, signal);
    else if (loaded) {
      loaded.isIdle = false;
      exits.push(this.#hold());
      return existing!;
    }
    exits.push(this.#hold());
    if (existing === undefined) return this.#start(settings, request);
    await this.#resume(existing, settings, request);
    return existing;
  }

  async #start(settings: ThreadSettings, request: TurnRequest): Promise<string> {
    const { threadOptions, turnOptions } = request;
    const config = await this.#readConfig(settings, turnOptions.signal);
    const params = {
      ...this.#complete(settings, config),
      threadSource: threadOptions.threadSource ?? "user",
    };
    const { thread } = await this.#client.request("thread/start", params, pick(turnOptions.signal));
    this.#noteLoaded(thread.id, settings);
    return thread.id;
  }

  async #resume(threadId: string, settings: ThreadSettings, { turnOptions }: TurnRequest): Promise<void> {
    const config = await this.#readConfig(settings, turnOptions.signal);
    const params = {
      ...nameConfiguredModel(this.#complete(settings, config), config),
      threadId,
      excludeTurns: true,
    };
    const resume = () => this.#client.request("thread/resume", params, pick(turnOptions.signal));
    try {
      await resume();
    } catch (error) {
      const holder = findHolder(threadId);
      if (!(error instanceof RpcError) || holder === undefined || holder === this) throw error;
      await untilAborted(holder.release(), turnOptions.signal);
      await resume();
    }
    this.#noteLoaded(threadId, settings);
  }

  #complete(settings: ThreadSettings, config: EngineConfig): ThreadSettings {
    const complete = addConfiguredRoots(settings, config);
    return this.#place.isLocal ? leaveUntrusted(complete, config) : complete;
  }

  #noteLoaded(threadId: string, settings: ThreadSettings): void {
    this.#notices.claim(threadId);
    this.#loaded.set(threadId, { settings, isIdle: false });
    noteHolder(threadId, this);
  }

  /** A thread's turn is over. Of too many such threads, those that were used the longest ago are let go of. */
  #rest(threadId: string): void {
    const thread = this.#loaded.get(threadId);
    if (!thread || this.#client.state !== "ready") return;
    this.#loaded.delete(threadId);
    this.#loaded.set(threadId, thread);
    thread.isIdle = true;
    const idle = [...this.#loaded].filter(([, { isIdle, left }]) => isIdle && !left);
    for (const [id, old] of idle.slice(0, -maxIdleThreads)) {
      old.left = this.#client.request("thread/unsubscribe", { threadId: id }).catch(() => {});
    }
  }

  async #readConfig({ cwd }: ThreadSettings, signal: AbortSignal | undefined): Promise<EngineConfig> {
    const params = cwd === undefined ? {} : { cwd };
    return (await this.#client.request("config/read", params, pick(signal))).config;
  }
}

function pick(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
