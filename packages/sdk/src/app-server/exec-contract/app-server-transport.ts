import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import manifest from "../../../package.json" with { type: "json" };
import { createAbortError } from "../../errors.ts";
import { isTerminalEvent, type ThreadEvent } from "../../events.ts";
import { config, createClientConfig } from "../../exec/arguments.ts";
import { createEnvironment } from "../../exec/environment.ts";
import { resolveEngine } from "../../exec/find-installed-engine.ts";
import { checkOutputSchema } from "../../exec/output-schema-file.ts";
import type { CodexOptions } from "../../options.ts";
import type { Transport, TurnRequest } from "../../transport.ts";
import { AppServerClient, type TurnHandle } from "../client.ts";
import { RpcError } from "../errors.ts";
import { checkTurn, createExecFailure, toContractError } from "./exec-failures.ts";
import { findThreadByName, isThreadId } from "./find-thread.ts";
import { refuseRequests } from "./refuse-requests.ts";
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
import { TurnLine } from "./turn-line.ts";

/** What exec does not show; the engine need not send it. */
const unwantedNotifications = [
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

/** Runs turns on one engine that stays up, and shows of them what `codex exec` would. */
export class AppServerTransport implements Transport {
  #client: AppServerClient;
  readonly #options: CodexOptions;
  readonly #executablePath: string;
  readonly #env: Record<string, string>;
  readonly #notices = new ThreadNotices();
  readonly #line = new TurnLine();
  /** What each thread that the engine has in memory was loaded with. */
  readonly #loaded = new Map<string, ThreadSettings>();
  /** Turns whose thread is loaded and that are not over yet. */
  readonly #uses = new Set<Promise<void>>();
  #isClosed = false;

  /** @throws CodexError CODEX_JS_SDK_ENGINE_NOT_FOUND */
  constructor(options: CodexOptions) {
    this.#options = options;
    const { executablePath, pathDirs } = resolveEngine(options);
    this.#env = createEnvironment(options, pathDirs);
    this.#executablePath = executablePath;
    this.#client = this.#createClient();
  }

  async *runTurn(request: TurnRequest): AsyncGenerator<ThreadEvent, void, undefined> {
    const { outputSchema, signal } = request.turnOptions;
    if (signal?.aborted) throw createAbortError(signal);
    checkOutputSchema(outputSchema);
    // A value that has no place in the configuration is an error of every turn, not of the first.
    this.#createArguments();
    try {
      yield* this.#runTurn(request);
    } catch (error) {
      throw toContractError(error, { signal, apiKey: this.#env.CODEX_API_KEY });
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
  async release(): Promise<void> {
    while (this.#uses.size > 0) await Promise.all(this.#uses);
    if (this.#isClosed || this.#loaded.size === 0) return;
    const old = this.#client;
    this.#loaded.clear();
    this.#client = this.#createClient();
    await old.close();
  }

  #createClient(): AppServerClient {
    const { CODEX_API_KEY: apiKey, CODEX_INTERNAL_ORIGINATOR_OVERRIDE: originator } = this.#env;
    const client = AppServerClient.overStdio({
      command: () => ({ file: this.#executablePath, args: this.#createArguments(), env: this.#env }),
      introduction: {
        // The header that tells the service which client it is has this name in it.
        clientInfo: { name: originator!, title: null, version: manifest.version },
        experimentalApi: true,
        optOutNotificationMethods: unwantedNotifications,
      },
      prepare: async (connection) => {
        if (apiKey) await connection.request("account/login/start", { type: "apiKey", apiKey });
      },
    });
    client.onStateChange(({ state }) => {
      if (state !== "starting") return;
      this.#notices.reset();
      this.#loaded.clear();
    });
    client.onNotification({}, (notification) => this.#notices.note(notification));
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
      const settings = createThreadSettings(request.threadOptions);
      checkTurn(request.prompt, settings.cwd, request.threadOptions.skipGitRepoCheck ?? false);
      const threadId = await this.#load(wanted, settings, request, exits);
      if (threadId !== wanted) exits.push(await this.#line.enter(threadId, signal));
      yield { type: "thread.started", thread_id: threadId };
      const turn = await this.#client.startTurn(createTurnParams(threadId, request), pick(signal));
      done = turn.settled.then(() => this.#endCommands(threadId, translator)).then(leave);
      yield* this.#readTurn(turn, translator);
    } finally {
      if (done === undefined) leave();
      // Whoever ends a turn early may count on its commands being gone.
      else await done;
    }
  }

  /** Commands that a turn has left running end with it, as they do when exec's process ends. */
  async #endCommands(threadId: string, translator: TurnTranslator): Promise<void> {
    if (translator.isFinished || this.#client.state !== "ready" || this.#isClosed) return;
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
    const existing =
      wanted === null || isThreadId(wanted)
        ? (wanted ?? undefined)
        : await findThreadByName(this.#client, wanted, settings.cwd);
    // That an engine has just died is known once the event loop has turned, which the second of these is
    // sure of; a turn that is sent to a dead engine is lost.
    await setImmediate();
    await setImmediate();
    await this.#client.start();
    if (existing !== undefined) {
      const loaded = this.#loaded.get(existing);
      if (loaded !== undefined && isDeepStrictEqual(loaded, settings)) {
        exits.push(this.#hold());
        return existing;
      }
      // A thread that is loaded keeps its settings.
      if (loaded !== undefined) await this.release();
    }
    exits.push(this.#hold());
    if (existing === undefined) return this.#start(settings, request);
    await this.#resume(existing, settings, request);
    return existing;
  }

  async #start(settings: ThreadSettings, request: TurnRequest): Promise<string> {
    const { threadOptions, turnOptions } = request;
    const config = await this.#readConfig(settings);
    const params = {
      ...leaveUntrusted(addConfiguredRoots(settings, config), config),
      threadSource: threadOptions.threadSource ?? "user",
    };
    const { thread } = await this.#client.request("thread/start", params, pick(turnOptions.signal));
    this.#noteLoaded(thread.id, settings);
    return thread.id;
  }

  async #resume(threadId: string, settings: ThreadSettings, { turnOptions }: TurnRequest): Promise<void> {
    const config = await this.#readConfig(settings);
    const params = {
      ...nameConfiguredModel(leaveUntrusted(addConfiguredRoots(settings, config), config), config),
      threadId,
      excludeTurns: true,
    };
    const resume = () => this.#client.request("thread/resume", params, pick(turnOptions.signal));
    try {
      await resume();
    } catch (error) {
      const holder = findHolder(threadId);
      if (!(error instanceof RpcError) || holder === undefined || holder === this) throw error;
      await holder.release();
      await resume();
    }
    this.#noteLoaded(threadId, settings);
  }

  #noteLoaded(threadId: string, settings: ThreadSettings): void {
    this.#notices.claim(threadId);
    this.#loaded.set(threadId, settings);
    noteHolder(threadId, this);
  }

  async #readConfig({ cwd }: ThreadSettings): Promise<EngineConfig> {
    return (await this.#client.request("config/read", { cwd })).config;
  }

  #createArguments(): string[] {
    return [
      "app-server",
      ...createClientConfig(this.#options),
      // The key is this program's and not the user's: it must not become their stored login.
      ...(this.#env.CODEX_API_KEY ? config('cli_auth_credentials_store="ephemeral"') : []),
    ];
  }
}

function pick(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
