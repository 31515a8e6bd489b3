import {
  AppServerTransport,
  ownPlace,
  remotePlace,
  sharedPlace,
} from "./app-server/exec-contract/app-server-transport.ts";
import { checkClientOptions } from "./check-options.ts";
import { ExecTransport } from "./exec/exec-transport.ts";
import type { CodexOptions, ConnectOptions, SharedCodexOptions, ThreadOptions } from "./options.ts";
import { Thread } from "./thread.ts";
import type { Transport } from "./transport.ts";

/** The way to the Codex agent: starts threads and takes up earlier ones. */
export class Codex implements AsyncDisposable {
  readonly #transport: Transport;

  /** @internal */
  constructor(options: CodexOptions, transport: Transport);
  /**
   * @throws {@link CodexError} `CODEX_JS_SDK_ENGINE_NOT_FOUND` when there is no `codexPathOverride` and
   * the `@openai/codex` package has no engine for this platform; `CODEX_JS_SDK_CONFIG_INVALID` for an option
   * that is not what it has to be
   */
  constructor(options?: CodexOptions);
  constructor(options: CodexOptions = {}, transport?: Transport) {
    this.#transport = transport ?? createTransport(checkClientOptions(options));
  }

  /**
   * On the one engine that all programs of this user with the same `CODEX_HOME` share: the first turn joins
   * it, or starts it where there is none. It ends when no program has used it for a while. Closing this
   * leaves it, and turns that run on it, running.
   * @throws {@link CodexError} as the constructor, and `CODEX_JS_SDK_CONFIG_INVALID` for an `apiKey`. What is
   * wrong with the server comes out of the first turn, with a code `CODEX_JS_SDK_SHARED_…`
   */
  static shared(options: SharedCodexOptions = {}): Codex {
    return new Codex(options, new AppServerTransport(sharedPlace(checkClientOptions(options))));
  }

  /**
   * On an app-server that somebody else has started (`codex app-server --listen URL`). It is joined with the
   * first turn, and again after the connection was lost. Closing this leaves it, and turns that run on it,
   * running.
   * @param url - `unix://PATH`, or `ws://HOST:PORT`. Over `ws://` paths are the server's: relative ones, git
   * repositories and images are not looked up here
   */
  static connect(url: string, options: ConnectOptions = {}): Codex {
    return new Codex({}, new AppServerTransport(remotePlace(url, options ?? {})));
  }

  /** A new thread. Nothing is started before its first turn. */
  startThread(options: ThreadOptions = {}): Thread {
    return new Thread(this.#transport, options ?? {}, null);
  }

  /**
   * A thread that exists: the engine keeps threads in `CODEX_HOME/sessions`.
   * @param id - from `Thread.id`. An unknown one makes the next turn fail; but a text that is not a
   * UUID is taken for a thread's name, and the engine starts a new thread if nothing has that name. One that
   * is empty, or begins with a dash or a blank, is refused with the next turn.
   */
  resumeThread(id: string, options: ThreadOptions = {}): Thread {
    return new Thread(this.#transport, options ?? {}, id ?? "");
  }

  /**
   * Ends the engine, its running turns included, which fail with `CODEX_JS_SDK_CONNECTION_CLOSED`; a shared or remote one is left, and goes on. A program that
   * does not close its client ends all the same when its turns are over, and the engine of its own with it.
   */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** {@link Codex.close} at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function createTransport(options: CodexOptions): Transport {
  return options.transport === "exec"
    ? new ExecTransport(options)
    : new AppServerTransport(ownPlace(options));
}
