import { setTimeout as sleep } from "node:timers/promises";
import { CodexError, createClosedError } from "../errors.ts";
import { hideCredentials } from "../redact.ts";
import { Connection, type ConnectionOptions, type Introduction } from "./connection.ts";
import type { EngineLink, EngineState, EngineStateChange, ReadyEngine } from "./engine-link.ts";
import { checkEngineVersion } from "./engine-version.ts";
import { RestartLimit, type RestartPolicy } from "./restart-limit.ts";
import { StateMachine } from "./state-machine.ts";
import { connectWebSocket, type WebSocketOptions } from "./transport/websocket.ts";

/** A server to connect to. */
export interface ServerLocation {
  url: string;
  /** Whether it can stay with this server; if not, it is located anew. Throws where there is no use in that. */
  accept?(ready: ReadyEngine): Promise<boolean>;
  /** The connection has ended. */
  leave?(): void;
}

export interface RemoteEngineOptions extends Omit<WebSocketOptions, "url"> {
  /** Asked anew for each join; `signal` is aborted when nobody wants it any more. */
  locate: (signal: AbortSignal) => ServerLocation | Promise<ServerLocation>;
  /** How often it is located when the server goes away before it has answered; default once. */
  attempts?: number;
  introduction: Introduction;
  /** For the connection of each join. */
  connection: (generation: number) => ConnectionOptions;
  /** How often the server may go away until it is not joined again; default always. */
  restart?: RestartPolicy;
  /** The lowest engine that will do, for example `0.171.0`; default any. */
  minEngineVersion?: string;
}

/** An app-server that runs elsewhere; it is joined again after the connection was lost, never ended. */
export class RemoteEngine implements EngineLink {
  readonly #options: RemoteEngineOptions;
  readonly #machine = new StateMachine();
  readonly #limit: RestartLimit | undefined;
  readonly #aborter = new AbortController();
  #ready: Promise<ReadyEngine> | undefined;
  #location: ServerLocation | undefined;
  #connection: Connection | undefined;
  #closing: Promise<void> | undefined;
  #generation = 0;

  constructor(options: RemoteEngineOptions) {
    this.#options = options;
    this.#limit = options.restart && new RestartLimit(options.restart);
  }

  get state(): EngineState {
    return this.#machine.state;
  }

  onStateChange(listener: (change: EngineStateChange) => void): () => void {
    return this.#machine.onChange(listener);
  }

  /** @throws CodexError when nobody answers there, the engine is too old, or this was closed */
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
    try {
      this.#limit?.check();
      this.#machine.set("starting");
      const ready = await this.#joinAccepted();
      this.#machine.set("ready");
      return ready;
    } catch (error) {
      this.#ready = undefined;
      this.#leave();
      if (this.#closing !== undefined) throw createClosedError();
      this.#machine.set("crashed", error as CodexError);
      throw error;
    }
  }

  async #joinAccepted(): Promise<ReadyEngine> {
    const { attempts = 1 } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const location = await this.#options.locate(this.#aborter.signal);
      this.#location = location;
      try {
        const ready = await this.#connect(location.url);
        if (this.#closing !== undefined) throw createClosedError();
        if ((await location.accept?.(ready)) ?? true) {
          checkEngineVersion(ready.server.userAgent, this.#options.minEngineVersion);
          return ready;
        }
        if (attempt >= attempts) throw createUnsettledError(attempt);
      } catch (error) {
        const isGone = goneCodes.has((error as CodexError).code);
        if (this.#closing !== undefined || !isGone || attempt >= attempts) throw error;
        await sleep(20 * attempt);
      }
      this.#leave();
    }
  }

  async #connect(url: string): Promise<ReadyEngine> {
    const { introduction, connectTimeoutMs = 10_000 } = this.#options;
    const transport = await connectWebSocket({ ...this.#options, url });
    const generation = ++this.#generation;
    const connection = new Connection(transport, this.#options.connection(generation));
    this.#connection = connection;
    connection.closed.then((cause) => this.#handleEnd(connection, cause));
    const server = await connection
      .initialize(introduction, { timeoutMs: connectTimeoutMs })
      .catch((cause) => {
        throw this.#closing === undefined ? createStrangerError(url, cause) : cause;
      });
    return { connection, server, generation };
  }

  #handleEnd(connection: Connection, cause: CodexError): void {
    if (this.#connection !== connection) return;
    if (this.#closing !== undefined || this.#machine.state !== "ready") return;
    this.#limit?.noteCrash();
    this.#ready = undefined;
    this.#leave();
    this.#machine.set("crashed", cause);
  }

  #leave(): void {
    const [connection, location] = [this.#connection, this.#location];
    this.#connection = undefined;
    this.#location = undefined;
    connection?.close();
    location?.leave?.();
  }

  async #close(): Promise<void> {
    this.#machine.set("closing");
    this.#aborter.abort();
    this.#connection?.close(createClosedError());
    await this.#ready?.catch(() => {});
    this.#leave();
    this.#machine.set("closed");
  }
}

/** With these the server went away, or does not listen yet. */
const goneCodes: ReadonlySet<string> = new Set([
  "CODEX_JS_SDK_CONNECTION_CLOSED",
  "CODEX_JS_SDK_ENGINE_NOT_STARTED",
]);

function createStrangerError(url: string, cause: unknown): CodexError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodexError(
    "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    `what listens at ${hideCredentials(url)} does not answer like an app-server: ${why}`,
    { cause },
  );
}

function createUnsettledError(attempts: number): CodexError {
  return new CodexError(
    "CODEX_JS_SDK_SHARED_BUSY",
    `the server was replaced or ended ${attempts} times while it was joined`,
    { hint: "programs with different engine versions may be replacing each other's server" },
  );
}
