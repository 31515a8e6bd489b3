import {
  type AppServerClient,
  type NotificationFilter,
  type StartTurnOptions,
  type TurnHandle,
  toUserInput,
} from "../app-server/client.ts";
import type { RequestOptions } from "../app-server/connection.ts";
import type { EngineState, EngineStateChange } from "../app-server/engine-link.ts";
import { openOwn, openRemote, openShared } from "../app-server/open-client.ts";
import type {
  EngineInput,
  Method,
  MethodParams,
  MethodResult,
  NotificationMethod,
  NotificationOf,
  RequestArguments,
  ServerRequestMethod,
} from "../app-server/protocol.ts";
import type { ServerRequestHandler } from "../app-server/server-requests.ts";
import { checkClientOptions } from "../check-options.ts";
import { AccountMethods } from "./account-methods.ts";
import { ModelMethods } from "./model-methods.ts";
import type { CodexClientOptions, ConnectClientOptions, SharedCodexClientOptions } from "./options.ts";
import { ThreadMethods } from "./thread-methods.ts";

/**
 * The engine's whole range, under the engine's own names: every method of the app-server protocol, its
 * notifications and its questions, with their types. It outlives its engine: after a crash the next call
 * starts or joins another one and loads the thread it is about.
 *
 * A question of the engine that has no handler is refused in the question's own terms.
 */
export class CodexClient implements AsyncDisposable {
  readonly #core: AppServerClient;
  readonly threads: ThreadMethods = new ThreadMethods(this);
  readonly account: AccountMethods = new AccountMethods(this);
  readonly models: ModelMethods = new ModelMethods(this);

  /** @internal */
  constructor(options: CodexClientOptions, core: AppServerClient);
  /**
   * A client with an engine of its own, started with the first call.
   * @throws {@link CodexError} `CODEX_JS_SDK_ENGINE_NOT_FOUND`
   */
  constructor(options?: CodexClientOptions);
  constructor(options: CodexClientOptions = {}, core?: AppServerClient) {
    this.#core = core ?? openOwn(checkClientOptions(options), options ?? {});
  }

  /** A client of the server that programs share, as {@link Codex.shared}. */
  static shared(options: SharedCodexClientOptions = {}): CodexClient {
    return new CodexClient({}, openShared(checkClientOptions(options), options ?? {}));
  }

  /** A client of a server that somebody else has started, as {@link Codex.connect}. */
  static connect(url: string, options: ConnectClientOptions = {}): CodexClient {
    return new CodexClient({}, openRemote(url, options ?? {}, options ?? {}));
  }

  get state(): EngineState {
    return this.#core.state;
  }

  /** Calls `listener` for every change of `state`; returns a function that ends this. */
  onStateChange(listener: (change: EngineStateChange) => void): () => void {
    return this.#core.onStateChange(listener);
  }

  /** Starts or joins the engine now instead of with the first call; what `initialize` answered. */
  async start(): Promise<MethodResult<"initialize">> {
    return (await this.#core.start()).server;
  }

  /**
   * Keeps the host running until the returned function is called, for example while a notification is
   * waited for. Without a pending request or running turn, an idle engine does not.
   */
  hold(): Promise<() => void> {
    return this.#core.hold();
  }

  /**
   * Any method of the engine. A thread that was lost with an earlier engine is loaded first.
   * @throws {@link RpcError} when the engine refuses, {@link RequestTimeoutError} without an answer in time,
   * or another {@link CodexError}
   */
  request<M extends Method>(
    method: M,
    ...args: RequestArguments<M, RequestOptions>
  ): Promise<MethodResult<M>> {
    return this.#core.request(method, ...args);
  }

  /** {@link request} for methods that the stable protocol does not name. */
  requestUntyped(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#core.requestUntyped(method, params, options);
  }

  /** Calls `listener` for every notification of a method; returns a function that ends this. */
  onNotification<M extends NotificationMethod>(
    filter: M | NotificationFilter<M>,
    listener: (notification: NotificationOf<M>) => void,
  ): () => void {
    return this.#core.onNotification(filter, listener);
  }

  /**
   * Answers one kind of question, for all threads or for one; returns a function that ends this. A handler
   * that throws refuses.
   */
  onServerRequest<M extends ServerRequestMethod>(
    method: M,
    handler: ServerRequestHandler<M>,
    threadId?: string,
  ): () => void {
    return this.#core.onServerRequest(method, handler, threadId);
  }

  /** May a command run? Default: `decline`. */
  onCommandApproval(
    handler: ServerRequestHandler<"item/commandExecution/requestApproval">,
    threadId?: string,
  ): () => void {
    return this.onServerRequest("item/commandExecution/requestApproval", handler, threadId);
  }

  /** May files be changed? Default: `decline`. */
  onFileChangeApproval(
    handler: ServerRequestHandler<"item/fileChange/requestApproval">,
    threadId?: string,
  ): () => void {
    return this.onServerRequest("item/fileChange/requestApproval", handler, threadId);
  }

  /** May the turn have more permissions? Default: none. */
  onPermissionsApproval(
    handler: ServerRequestHandler<"item/permissions/requestApproval">,
    threadId?: string,
  ): () => void {
    return this.onServerRequest("item/permissions/requestApproval", handler, threadId);
  }

  /** An MCP server asks the user. Default: `decline`. */
  onElicitation(
    handler: ServerRequestHandler<"mcpServer/elicitation/request">,
    threadId?: string,
  ): () => void {
    return this.onServerRequest("mcpServer/elicitation/request", handler, threadId);
  }

  /** The agent asks the user. Default: no answers. */
  onUserInput(handler: ServerRequestHandler<"item/tool/requestUserInput">, threadId?: string): () => void {
    return this.onServerRequest("item/tool/requestUserInput", handler, threadId);
  }

  /** The agent calls a tool that `thread/start` was given as a dynamic one. Default: a failure. */
  onToolCall(handler: ServerRequestHandler<"item/tool/call">, threadId?: string): () => void {
    return this.onServerRequest("item/tool/call", handler, threadId);
  }

  /**
   * Starts a turn once every earlier turn of its thread has ended: on a thread with an active turn the
   * engine would take it as more input for that one.
   */
  startTurn(
    params: Omit<MethodParams<"turn/start">, "input"> & { input: string | EngineInput },
    options?: StartTurnOptions,
  ): Promise<TurnHandle> {
    return this.#core.startTurn({ ...params, input: toUserInput(params.input) }, options);
  }

  /** A review as a turn of its thread. */
  startReview(params: MethodParams<"review/start">, options?: StartTurnOptions): Promise<TurnHandle> {
    return this.#core.startTurnBy("review/start", params, options);
  }

  /** @internal */
  compact(threadId: string, options?: StartTurnOptions): Promise<TurnHandle> {
    return this.#core.startTurnBy("thread/compact/start", { threadId }, options);
  }

  /**
   * Ends the engine, its running turns interrupted; a shared or remote one is left, and goes on. What is
   * pending fails.
   */
  close(): Promise<void> {
    return this.#core.close();
  }

  /** {@link CodexClient.close} at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
