import { ExecTransport } from "./exec/exec-transport.ts";
import type { CodexOptions, ThreadOptions } from "./options.ts";
import { Thread } from "./thread.ts";
import type { Transport } from "./transport.ts";

/** The way to the Codex agent: starts threads and takes up earlier ones. */
export class Codex {
  readonly #transport: Transport;

  /**
   * @throws {@link CodexError} `CODEX_JS_SDK_ENGINE_NOT_FOUND` when there is no `codexPathOverride` and
   * the `@openai/codex` package has no engine for this platform
   */
  constructor(options: CodexOptions = {}) {
    this.#transport = new ExecTransport(options);
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
}
