import { setTimeout as sleep } from "node:timers/promises";
import { Connection, type ConnectionOptions, type Introduction } from "../connection.ts";
import type { EngineLink, EngineState, EngineStateChange, ReadyEngine } from "../engine-link.ts";
import { createClosedError, defaultRestartPolicy, type RestartPolicy } from "../engine-process.ts";
import { checkEngineVersion, compareVersions, readEngineVersion } from "../engine-version.ts";
import { AppServerError, RpcError } from "../errors.ts";
import type { MethodResult } from "../protocol.ts";
import { StateMachine } from "../state-machine.ts";
import { connectWebSocket } from "../transport/websocket.ts";
import { joinSharedServer, replaceSharedServer, type SharedServer } from "./join-shared-server.ts";
import { type SharedServerOptions, sharedDefaults } from "./shared-options.ts";

export interface SharedEngineOptions extends SharedServerOptions {
  introduction: Introduction;
  /** For the connection of each join. */
  connection: (generation: number) => ConnectionOptions;
  /** How often the server may go away until it is not started again; default {@link defaultRestartPolicy}. */
  restart?: RestartPolicy;
  /** The lowest engine that will do, whatever `onVersionMismatch` says; default any. */
  minEngineVersion?: string;
  /** Bytes of one message from the server; default 64 MiB. */
  maxMessageBytes?: number;
}

/** Servers that may be found on their way out until that is an error. */
const maxAttempts = 10;

/** The app-server that programs share: joined or started on demand, left and never ended by this one. */
export class SharedEngine implements EngineLink {
  readonly #options: SharedEngineOptions;
  readonly #machine = new StateMachine();
  #ready: Promise<ReadyEngine> | undefined;
  #connection: Connection | undefined;
  #server: SharedServer | undefined;
  #closing: Promise<void> | undefined;
  readonly #closed = new AbortController();
  #generation = 0;
  #crashTimes: number[] = [];

  constructor(options: SharedEngineOptions) {
    this.#options = options;
  }

  get state(): EngineState {
    return this.#machine.state;
  }

  /** The server's process, while it is joined. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  onStateChange(listener: (change: EngineStateChange) => void): () => void {
    return this.#machine.onChange(listener);
  }

  /** @throws AppServerError when no server can be joined or started, or this was closed */
  ensure(): Promise<ReadyEngine> {
    if (this.#closing !== undefined) return Promise.reject(createClosedError());
    this.#ready ??= this.#start();
    return this.#ready;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(): Promise<ReadyEngine> {
    try {
      this.#checkRestarts();
      this.#machine.set("starting");
      const ready = await this.#joinCurrent();
      this.#machine.set("ready");
      return ready;
    } catch (error) {
      this.#ready = undefined;
      this.#leave();
      if (this.#closing !== undefined) throw createClosedError();
      this.#machine.set("crashed", error as AppServerError);
      throw error;
    }
  }

  /** Joins until the server is one that stays. */
  async #joinCurrent(): Promise<ReadyEngine> {
    for (let attempt = 1; ; attempt++) {
      const server = await joinSharedServer(this.#options, this.#closed.signal);
      this.#server = server;
      try {
        const ready = await this.#connect(server);
        if (this.#closing !== undefined) throw createClosedError();
        const isReplaceable = this.#checkServer(server, ready);
        if (!isReplaceable && server.isCurrent()) return ready;
        if (isReplaceable) {
          await replaceSharedServer(
            this.#options,
            server.pid,
            () => hasActiveThread(ready.connection),
            this.#closed.signal,
          );
        }
        this.#leave();
      } catch (error) {
        // It went away, or has its socket but does not listen yet.
        const isGone = goneCodes.has((error as AppServerError).code);
        if (this.#closing !== undefined || !isGone || attempt >= maxAttempts) throw error;
        this.#leave();
        await sleep(20 * attempt);
      }
      if (attempt >= maxAttempts) throw createUnsettledError();
    }
  }

  async #connect({ url }: SharedServer): Promise<ReadyEngine> {
    const { introduction, maxMessageBytes, startTimeoutMs } = { ...sharedDefaults, ...this.#options };
    const transport = await connectWebSocket({ url, ...(maxMessageBytes && { maxMessageBytes }) });
    const generation = ++this.#generation;
    const connection = new Connection(transport, this.#options.connection(generation));
    this.#connection = connection;
    connection.closed.then((cause) => this.#handleEnd(connection, cause));
    const server = await connection.initialize(introduction, { timeoutMs: startTimeoutMs });
    return { connection, server, generation };
  }

  /** Whether the server is to be replaced; throws where it must not be used. */
  #checkServer({ ownVersion, hasSameArguments, pid }: SharedServer, { server }: ReadyEngine): boolean {
    const { onVersionMismatch, minEngineVersion } = { ...sharedDefaults, ...this.#options };
    const version = readEngineVersion(server.userAgent) ?? "unknown";
    if (version !== ownVersion) {
      const isOlder = compareVersions(version, ownVersion) < 0;
      if (onVersionMismatch === "replace" || (onVersionMismatch === "upgrade" && isOlder)) return true;
      throw createMismatchError(pid, version, ownVersion);
    }
    checkEngineVersion(server.userAgent, minEngineVersion);
    if (!hasSameArguments) throw createConflictError(pid);
    return false;
  }

  #handleEnd(connection: Connection, cause: AppServerError): void {
    if (this.#connection !== connection) return;
    const wasReady = this.#closing === undefined && this.#machine.state === "ready";
    if (!wasReady) return;
    this.#crashTimes.push(Date.now());
    this.#ready = undefined;
    this.#leave();
    this.#machine.set("crashed", cause);
  }

  #leave(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
    this.#server?.leave();
    this.#server = undefined;
  }

  #checkRestarts(): void {
    const { maxCrashes, windowMs } = this.#options.restart ?? defaultRestartPolicy;
    const since = Date.now() - windowMs;
    this.#crashTimes = this.#crashTimes.filter((time) => time > since);
    if (this.#crashTimes.length < maxCrashes) return;
    throw new AppServerError(
      "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED",
      `the shared server went away ${this.#crashTimes.length} times within ${windowMs} ms and is not started again`,
      { hint: "the earlier errors say why; a new client starts from zero" },
    );
  }

  async #close(): Promise<void> {
    this.#machine.set("closing");
    this.#closed.abort();
    this.#connection?.close(createClosedError());
    await this.#ready?.catch(() => {});
    this.#leave();
    this.#machine.set("closed");
  }
}

const goneCodes: ReadonlySet<string> = new Set([
  "CODEX_JS_SDK_CONNECTION_CLOSED",
  "CODEX_JS_SDK_ENGINE_NOT_STARTED",
]);

async function hasActiveThread(connection: Connection): Promise<boolean> {
  for (let cursor: string | null = null; ; ) {
    const loaded: MethodResult<"thread/loaded/list"> = await connection.request("thread/loaded/list", {
      cursor,
    });
    for (const threadId of loaded.data) {
      // One that was closed meanwhile cannot be read any more.
      const read = await connection
        .request("thread/read", { threadId, includeTurns: false })
        .catch((error) => {
          if (!(error instanceof RpcError)) throw error;
        });
      if (read?.thread.status.type === "active") return true;
    }
    cursor = loaded.nextCursor;
    if (cursor === null) return false;
  }
}

function createMismatchError(pid: number, version: string, ownVersion: string): AppServerError {
  return new AppServerError(
    "CODEX_JS_SDK_SHARED_VERSION_MISMATCH",
    `the shared server (process ${pid}) runs engine ${version}, this program has ${ownVersion || "an unknown one"}`,
    {
      hint: `use @openai/codex ${version} here too, end the programs that use the server, or set onVersionMismatch: "replace"`,
    },
  );
}

function createUnsettledError(): AppServerError {
  return new AppServerError(
    "CODEX_JS_SDK_SHARED_BUSY",
    `the shared server was replaced or ended ${maxAttempts} times while it was joined`,
    { hint: "programs with different engine versions may be replacing each other's server" },
  );
}

function createConflictError(pid: number): AppServerError {
  return new AppServerError(
    "CODEX_JS_SDK_SHARED_CONFIG_CONFLICT",
    `the shared server (process ${pid}) was started with other configuration overrides, which hold for all of its programs`,
    { hint: "set them per thread or in config.toml, or use an engine of your own (new Codex())" },
  );
}
