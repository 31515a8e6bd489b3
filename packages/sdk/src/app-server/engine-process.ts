import { CodexError, createClosedError } from "../errors.ts";
import { defaultRecordDir, reapOrphans } from "../orphan-records.ts";
import { closeAtExit } from "./close-at-exit.ts";
import { Connection, type ConnectionOptions, type Introduction } from "./connection.ts";
import { type EngineCommand, startEngineChild } from "./engine-child.ts";
import type { EngineLink, EngineState, EngineStateChange, ReadyEngine } from "./engine-link.ts";
import { checkEngineVersion } from "./engine-version.ts";
import { RestartLimit, type RestartPolicy } from "./restart-limit.ts";
import { type CloseLadder, type RunningEngine, watchEngine } from "./running-engine.ts";
import { StateMachine } from "./state-machine.ts";
import { createStdioTransport } from "./transport/stdio.ts";

export interface EngineProcessOptions {
  /** What to start; asked anew for each start. */
  command: () => EngineCommand | Promise<EngineCommand>;
  introduction: Introduction;
  /** For the connection of each start. */
  connection: (generation: number) => ConnectionOptions;
  /** Runs on each new connection before anything else may use it, a login for example; a throw ends the start. */
  prepare?: (connection: Connection) => Promise<void>;
  /** Milliseconds from the start to the answer to `initialize`; default 20,000. */
  startTimeoutMs?: number;
  /** Default {@link defaultRestartPolicy}. */
  restart?: RestartPolicy;
  /** Default {@link defaultCloseLadder}. */
  closeLadder?: CloseLadder;
  /** The lowest engine that will do, for example `0.171.0`; default any. */
  minEngineVersion?: string;
  /** Bytes of one message from the engine; default 64 MiB. */
  maxMessageBytes?: number;
  /** Must not get into an error. */
  secrets?: ReadonlySet<string | undefined>;
  /** Where running engines are written down; default a folder of the user's own below the temp folder. */
  recordDir?: string;
}

const defaultCloseLadder: CloseLadder = { endOfInputMs: 2_000, terminateMs: 2_000 };
const defaultStartTimeoutMs = 20_000;

/** One engine process after the other: started on demand, watched, closed with everything it has started. */
export class EngineProcess implements EngineLink {
  readonly #options: EngineProcessOptions;
  readonly #recordDir: string;
  readonly #machine = new StateMachine();
  readonly #restarts: RestartLimit;
  #ready: Promise<ReadyEngine> | undefined;
  #running: RunningEngine | undefined;
  #closing: Promise<void> | undefined;
  #keepHostClean: (() => void) | undefined;
  #generation = 0;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#restarts = new RestartLimit(options.restart);
    this.#recordDir = options.recordDir ?? defaultRecordDir();
  }

  get state(): EngineState {
    return this.#machine.state;
  }

  /** The process that runs now. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  onStateChange(listener: (change: EngineStateChange) => void): () => void {
    return this.#machine.onChange(listener);
  }

  /** @throws CodexError when the engine cannot be started, crashed too often, or was closed */
  ensure(): Promise<ReadyEngine> {
    if (this.#closing !== undefined) return Promise.reject(createClosedError());
    if (this.#running?.child.isGone && this.#machine.state === "ready") {
      // It died while idle, and its last words are still being read: nothing can be asked of it any more.
      return this.#ready!.then(({ connection }) => connection.closed).then(() => this.ensure());
    }
    this.#ready ??= this.#start();
    return this.#ready;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(): Promise<ReadyEngine> {
    try {
      this.#restarts.check();
      this.#machine.set("starting");
      const reaped = this.#generation === 0 ? reapOrphans(this.#recordDir).catch(() => 0) : undefined;
      this.#keepHostClean ??= closeAtExit(() => this.close());
      const child = await startEngineChild(await this.#options.command(), this.#options.secrets);
      const running = watchEngine(child, this.#recordDir);
      this.#running = running;
      if (this.#closing !== undefined) throw createClosedError();
      const ready = await this.#introduce(running);
      await reaped;
      if (this.#closing !== undefined) throw createClosedError();
      this.#machine.set("ready");
      return ready;
    } catch (cause) {
      this.#ready = undefined;
      await this.#endRunning({ endOfInputMs: 0, terminateMs: 0 });
      const error = toStartError(cause);
      if (this.#closing === undefined) this.#machine.set("crashed", error);
      throw error;
    }
  }

  async #introduce(running: RunningEngine): Promise<ReadyEngine> {
    const { introduction, minEngineVersion, startTimeoutMs = defaultStartTimeoutMs } = this.#options;
    const generation = ++this.#generation;
    const transport = createStdioTransport(running.child, this.#options);
    const connection = new Connection(transport, this.#options.connection(generation));
    connection.closed.then((cause) => this.#handleEnd(running, cause));
    const server = await connection.initialize(introduction, { timeoutMs: startTimeoutMs });
    checkEngineVersion(server.userAgent, minEngineVersion);
    await this.#options.prepare?.(connection);
    return { connection, server, generation };
  }

  #handleEnd(running: RunningEngine, cause: CodexError): void {
    if (running.isEnding) return;
    this.#restarts.noteCrash();
    if (this.#machine.state === "ready") {
      this.#ready = undefined;
      this.#machine.set("crashed", cause);
    }
    void this.#endRunning({ endOfInputMs: 0, terminateMs: 0 });
  }

  async #endRunning(ladder: CloseLadder): Promise<void> {
    const running = this.#running;
    await running?.end(ladder);
    if (this.#running === running) this.#running = undefined;
  }

  async #close(): Promise<void> {
    this.#machine.set("closing");
    await this.#endRunning(this.#options.closeLadder ?? defaultCloseLadder);
    // A start that was under way clears up after itself.
    await this.#ready?.catch(() => {});
    this.#keepHostClean?.();
    this.#machine.set("closed");
  }
}

function toStartError(cause: unknown): CodexError {
  const code = cause instanceof CodexError ? cause.code : undefined;
  const isOwn =
    code === "CODEX_JS_SDK_ENGINE_NOT_STARTED" ||
    code === "CODEX_JS_SDK_ENGINE_TOO_OLD" ||
    code === "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED" ||
    code === "CODEX_JS_SDK_CONNECTION_CLOSED";
  if (isOwn) return cause as CodexError;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CodexError("CODEX_JS_SDK_ENGINE_NOT_STARTED", `the engine did not get ready: ${message}`, {
    hint: "check codexPathOverride",
    cause,
  });
}
