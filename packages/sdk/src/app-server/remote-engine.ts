import { Connection, type ConnectionOptions, type Introduction } from "./connection.ts";
import type { EngineLink, EngineState, EngineStateChange, ReadyEngine } from "./engine-link.ts";
import { createClosedError } from "./engine-process.ts";
import { checkEngineVersion } from "./engine-version.ts";
import { AppServerError } from "./errors.ts";
import { StateMachine } from "./state-machine.ts";
import { connectWebSocket, type WebSocketOptions } from "./transport/websocket.ts";

export interface RemoteEngineOptions extends WebSocketOptions {
  introduction: Introduction;
  /** For the connection of each join. */
  connection: (generation: number) => ConnectionOptions;
  /** The lowest engine that will do, for example `0.171.0`; default any. */
  minEngineVersion?: string;
}

/** An app-server that runs elsewhere; it is joined again after the connection was lost, never started or ended. */
export class RemoteEngine implements EngineLink {
  readonly #options: RemoteEngineOptions;
  readonly #machine = new StateMachine();
  #ready: Promise<ReadyEngine> | undefined;
  #connection: Connection | undefined;
  #closing: Promise<void> | undefined;
  #generation = 0;

  constructor(options: RemoteEngineOptions) {
    this.#options = options;
  }

  get state(): EngineState {
    return this.#machine.state;
  }

  onStateChange(listener: (change: EngineStateChange) => void): () => void {
    return this.#machine.onChange(listener);
  }

  /** @throws AppServerError when nobody answers there, the engine is too old, or this was closed */
  ensure(): Promise<ReadyEngine> {
    if (this.#closing !== undefined) return Promise.reject(createClosedError());
    this.#ready ??= this.#join();
    return this.#ready;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #join(): Promise<ReadyEngine> {
    const { introduction, minEngineVersion, connectTimeoutMs = 10_000 } = this.#options;
    try {
      this.#machine.set("starting");
      const transport = await connectWebSocket(this.#options);
      const generation = ++this.#generation;
      const connection = new Connection(transport, this.#options.connection(generation));
      this.#connection = connection;
      connection.closed.then((cause) => this.#handleEnd(connection, cause));
      const server = await connection
        .initialize(introduction, { timeoutMs: connectTimeoutMs })
        .catch((cause) => {
          throw this.#closing === undefined ? createStrangerError(this.#options.url, cause) : cause;
        });
      checkEngineVersion(server.userAgent, minEngineVersion);
      if (this.#closing !== undefined) throw createClosedError();
      this.#machine.set("ready");
      return { connection, server, generation };
    } catch (error) {
      this.#ready = undefined;
      this.#connection?.close();
      if (this.#closing === undefined) this.#machine.set("crashed", error as AppServerError);
      throw error;
    }
  }

  #handleEnd(connection: Connection, cause: AppServerError): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#closing !== undefined || this.#machine.state !== "ready") return;
    this.#ready = undefined;
    this.#machine.set("crashed", cause);
  }

  async #close(): Promise<void> {
    this.#machine.set("closing");
    this.#connection?.close(createClosedError());
    await this.#ready?.catch(() => {});
    this.#machine.set("closed");
  }
}

function createStrangerError(url: string, cause: unknown): AppServerError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppServerError(
    "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    `what listens at ${url} does not answer like an app-server: ${why}`,
    { cause },
  );
}
