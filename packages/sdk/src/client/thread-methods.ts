import type { StartTurnOptions, TurnHandle } from "../app-server/client.ts";
import type { RequestOptions } from "../app-server/connection.ts";
import type { MethodParams, MethodResult } from "../app-server/protocol.ts";
import type { CodexClient } from "./codex-client.ts";

/** What can be done with threads. */
export class ThreadMethods {
  readonly #client: CodexClient;

  /** @internal */
  constructor(client: CodexClient) {
    this.#client = client;
  }

  /** A new thread. It is saved with its first turn. */
  start(
    params: MethodParams<"thread/start"> = {},
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/start">> {
    return this.#client.request("thread/start", params, options);
  }

  /** Loads a saved thread. One that is loaded already keeps its settings. */
  resume(
    params: MethodParams<"thread/resume">,
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/resume">> {
    return this.#client.request("thread/resume", params, options);
  }

  /** A new thread that begins as a copy of another one. */
  fork(params: MethodParams<"thread/fork">, options?: RequestOptions): Promise<MethodResult<"thread/fork">> {
    return this.#client.request("thread/fork", params, options);
  }

  /** A saved thread, without loading it. */
  read(params: MethodParams<"thread/read">, options?: RequestOptions): Promise<MethodResult<"thread/read">> {
    return this.#client.request("thread/read", params, options);
  }

  /** A page of the saved threads; `nextCursor` is null on the last one. */
  list(
    params: MethodParams<"thread/list"> = {},
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/list">> {
    return this.#client.request("thread/list", params, options);
  }

  /** Puts a thread away; lists no longer have it. */
  archive(
    params: MethodParams<"thread/archive">,
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/archive">> {
    return this.#client.request("thread/archive", params, options);
  }

  /** Brings a thread back. */
  unarchive(
    params: MethodParams<"thread/unarchive">,
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/unarchive">> {
    return this.#client.request("thread/unarchive", params, options);
  }

  /** Gives a thread a name. */
  setName(
    params: MethodParams<"thread/name/set">,
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/name/set">> {
    return this.#client.request("thread/name/set", params, options);
  }

  /**
   * No more notifications of this thread. When nobody wants any, the engine lets go of it a minute later
   * (`thread_unload_delay_secs` in its configuration) and ends its MCP servers, which each thread has for itself.
   */
  unsubscribe(
    params: MethodParams<"thread/unsubscribe">,
    options?: RequestOptions,
  ): Promise<MethodResult<"thread/unsubscribe">> {
    return this.#client.request("thread/unsubscribe", params, options);
  }

  /** Makes the thread's history shorter, in a turn of its own. */
  compact(params: MethodParams<"thread/compact/start">, options?: StartTurnOptions): Promise<TurnHandle> {
    return this.#client.compact(params.threadId, options);
  }
}
