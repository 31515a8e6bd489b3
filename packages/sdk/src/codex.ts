import { AppServerTransport } from "./app-server/exec-contract/app-server-transport.ts";
import { ExecTransport } from "./exec/exec-transport.ts";
import type { CodexOptions, ThreadOptions } from "./options.ts";
import { Thread } from "./thread.ts";
import type { Transport } from "./transport.ts";

/** The way to the Codex agent: starts threads and takes up earlier ones. */
export class Codex implements AsyncDisposable {
  readonly #transport: Transport;

  /**
   * @throws {@link CodexError} `CODEX_JS_SDK_ENGINE_NOT_FOUND` when there is no `codexPathOverride` and
   * the `@openai/codex` package has no engine for this platform
   */
  constructor(options: CodexOptions = {}) {
    this.#transport =
      options.transport === "exec" ? new ExecTransport(options) : new AppServerTransport(options);
  }

  /** A new thread. Nothing is started before its first turn. */
  startThread(options: ThreadOptions = {}): Thread {
    return new Thread(this.#transport, options, null);
  }

  /**
   * A thread that exists: the engine keeps threads in `CODEX_HOME/sessions`.
   * @param id - from `Thread.id`. An unknown one makes the next turn fail; but a text that is not a
   * UUID is taken for a thread's name, and the engine starts a new thread if nothing has that name.
   */
  resumeThread(id: string, options: ThreadOptions = {}): Thread {
    return new Thread(this.#transport, options, id);
  }

  /**
   * Ends the engine, its running turns included. A program that does not close its client ends all the
   * same when its turns are over, and the engine with it.
   */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** {@link Codex.close} at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
