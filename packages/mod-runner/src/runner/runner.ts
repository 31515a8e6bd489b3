import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { limits } from "../../generated/limits.ts";
import type {
  ErrorMessage,
  HostRequestMessage,
  ReadyMessage,
  RunnerMessage,
} from "../../generated/messages.ts";
import { createDeferred } from "../deferred.ts";
import { protocolVersion } from "../manifest/parse-manifest.ts";
import { type Answer, type Exchange, tellExchange } from "./exchange.ts";
import { LineReader } from "./line-reader.ts";
import { registerRunner, unregisterRunner } from "./live-runners.ts";
import { type ProcessMemory, readMemory } from "./memory.ts";
import { OutputTail } from "./output-tail.ts";
import { parseLine, RunnerFault } from "./parse-line.ts";
import { createStartError, describeStartFailure, type KillReason, type RunnerEnd } from "./runner-end.ts";
import { killGroup, startProcess } from "./start-process.ts";

export interface RunnerCommand {
  path: string;
  args: readonly string[];
  env: Record<string, string>;
  /** Key of the code caches' authentication, in hexadecimal; without one a runner makes none. */
  cacheKey: string | undefined;
  /** How long it may take to be ready. */
  startMs: number;
}

const stderrLimitBytes = 16 * 1024;
const memoryMaxAgeMs = 20;
/** How long pipes may stay open after the process has ended, where something else holds them. */
const drainMs = 500;

/** One runner process, and the one exchange that it is in. */
export class Runner {
  /** Resolves with the ready line. Rejects with a ModError where it never came. */
  readonly ready: Promise<ReadyMessage>;
  /** Resolves once the process is gone and everything that it said has been read. */
  readonly ended: Promise<RunnerEnd>;
  /** Digest of the mod that it serves; a runner serves one in its life. */
  digest: string | undefined;
  /** It was sent the mod's modules. */
  hasModules = false;
  /** And compiled code with them. */
  hasCaches = false;
  isReady = false;
  isAlive = true;

  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines = new LineReader(limits.runnerLineBytes);
  readonly #stderr = new OutputTail(stderrLimitBytes);
  readonly #startTimer: NodeJS.Timeout;
  readonly #onReady = createDeferred<ReadyMessage>();
  readonly #onEnded = createDeferred<RunnerEnd>();
  #exchange: { of: Exchange; settle: (answer: Answer) => void } | undefined;
  #memory: { at: number; value: ProcessMemory | undefined } | undefined;
  #isKeptAlive = true;
  #hasExited = false;
  #lastId = 0;
  #lastRequest = 0;
  #killedFor: KillReason | undefined;
  #fault: string | undefined;
  #startError: ErrorMessage | undefined;

  /** @throws ModError runner_unavailable where the system refuses at once */
  constructor(command: RunnerCommand) {
    this.ready = this.#onReady.promise;
    this.ended = this.#onEnded.promise;
    // Whoever waits for it is told; a spare that nobody waits for yet is no unhandled rejection.
    this.ready.catch(() => {});
    this.#startTimer = setTimeout(() => this.kill("start-timeout"), command.startMs);
    this.#child = this.#start(command);
    this.#listen();
    this.send({ type: "hello", protocolVersion, cacheKey: command.cacheKey });
    this.setKeepAlive(false);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** It has gone, or was ended and will be gone in a moment. */
  get isEnding(): boolean {
    return this.#hasExited || this.#killedFor !== undefined;
  }

  /** True between two exchanges. */
  get isIdle(): boolean {
    return this.#exchange === undefined;
  }

  takeId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Sends a line that begins an exchange; resolves with its answer and never rejects. */
  exchange(line: string, of: Exchange): Promise<Answer> {
    if (!this.isAlive) return this.ended.then((end) => ({ type: "ended", end }));
    this.setKeepAlive(true);
    return new Promise((settle) => {
      this.#exchange = { of, settle };
      this.#child.stdin.write(line);
    });
  }

  send(message: object): void {
    this.sendLine(`${JSON.stringify(message)}\n`);
  }

  sendLine(line: string): void {
    this.#child.stdin.write(line);
  }

  /** Resolves when what was written before has left this process. */
  async waitForDrain(): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writableNeedDrain || !this.isAlive) return;
    const drained = new Promise<void>((resolve) => void stdin.once("drain", resolve));
    await Promise.race([drained, this.ended]);
  }

  /** Ends the process and all that may belong to it, at once. The first reason is the one that is told. */
  kill(reason: KillReason): void {
    if (this.#hasExited) return;
    this.#killedFor ??= reason;
    // Until it is gone: whoever closes a host waits for that.
    this.setKeepAlive(true);
    killGroup(this.pid);
  }

  /** Its process's memory, at most {@link memoryMaxAgeMs} ago: a render is faster than reading it. */
  readMemory(): ProcessMemory | undefined {
    const now = performance.now();
    if (this.#memory === undefined || now - this.#memory.at > memoryMaxAgeMs) {
      this.#memory = { at: now, value: readMemory(this.pid) };
    }
    return this.#memory.value;
  }

  /** Whether this process has to stay for the runner's sake. */
  setKeepAlive(isNeeded: boolean): void {
    // Bun counts: what is referenced twice has to be let go twice.
    if (isNeeded === this.#isKeptAlive) return;
    this.#isKeptAlive = isNeeded;
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin, stdout, stderr] as Partial<NodeJS.RefCounted>[]) {
      if (isNeeded) handle.ref?.();
      else handle.unref?.();
    }
    if (isNeeded) this.#startTimer.ref();
    else this.#startTimer.unref();
  }

  #start({ path, args, env }: RunnerCommand): ChildProcessWithoutNullStreams {
    try {
      return startProcess(path, args, { env, cwd: "/", detached: true });
    } catch (cause) {
      clearTimeout(this.#startTimer);
      throw createStartError(cause as Error);
    }
  }

  #listen(): void {
    const { stdin, stdout, stderr, pid } = this.#child;
    if (pid !== undefined) registerRunner(pid);
    // A runner that has gone breaks the pipe; its end is told by `exit`.
    stdin.on("error", () => {});
    stdout.on("error", () => {});
    stderr.on("error", () => {});
    stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    this.#child.on("error", (error) => this.#failStart(error));
    this.#child.once("exit", (exitCode, signal) => void this.#finish(exitCode, signal));
  }

  /** The program could not be started; without a pid there is no `exit` to wait for. */
  #failStart(error: Error): void {
    if (this.#child.pid !== undefined) return;
    this.#hasExited = true;
    this.isAlive = false;
    clearTimeout(this.#startTimer);
    this.#onReady.reject(createStartError(error));
    this.#settleEnd({ exitCode: null, signal: null, stderr: "" });
  }

  async #finish(exitCode: number | null, signal: string | null): Promise<void> {
    const { stdout } = this.#child;
    this.#hasExited = true;
    // Nothing of a runner outlives it, whatever it may have started.
    killGroup(this.pid);
    unregisterRunner(this.pid);
    if (!stdout.readableEnded) await waitForClose(this.#child);
    this.isAlive = false;
    clearTimeout(this.#startTimer);
    const end: RunnerEnd = { exitCode, signal, stderr: this.#stderr.toString() };
    if (this.#killedFor !== undefined) end.killedFor = this.#killedFor;
    if (this.#fault !== undefined) end.fault = this.#fault;
    this.#onReady.reject(describeStartFailure(end, this.#startError));
    this.#settleEnd(end);
  }

  #settleEnd(end: RunnerEnd): void {
    this.#settle({ type: "ended", end });
    this.#onEnded.resolve(end);
  }

  #read(chunk: Buffer): void {
    if (this.#fault !== undefined) return;
    try {
      for (const line of this.#lines.push(chunk)) this.#take(parseLine(line));
    } catch (error) {
      if (!(error instanceof RunnerFault || error instanceof RangeError)) throw error;
      this.#fault = error.message;
      this.kill("fault");
    }
  }

  #take(message: RunnerMessage): void {
    if (!this.isReady) {
      this.#takeFirst(message);
    } else if (message.type === "error" && message.id === null) {
      this.#takeUnaddressed(message);
    } else {
      this.#takeCurrent(message);
    }
  }

  #takeCurrent(message: RunnerMessage): void {
    const current = this.#exchange?.of;
    const id = "callback" in message ? message.callback : "id" in message ? message.id : undefined;
    if (current === undefined || id !== current.id) {
      throw new RunnerFault(`a ${message.type} line for callback ${id}, which is not running`);
    }
    if (message.type === "hostRequest") this.#checkRequest(message);
    if (tellExchange(current, message)) return;
    if (message.type !== "error" && message.type !== current.answerType) {
      throw new RunnerFault(`a ${message.type} line where ${current.answerType} was expected`);
    }
    this.#settle(message as Answer);
  }

  /** They count up, so one that is not above the last is a forgery or a repetition. */
  #checkRequest({ request }: HostRequestMessage): void {
    if (request <= this.#lastRequest) throw new RunnerFault(`request ${request} after ${this.#lastRequest}`);
    this.#lastRequest = request;
  }

  #takeFirst(message: RunnerMessage): void {
    if (message.type === "error" && message.id === null) {
      this.#startError = message;
      return;
    }
    if (message.type !== "ready") throw new RunnerFault(`a ${message.type} line before it was ready`);
    if (message.protocolVersion !== protocolVersion) {
      throw new RunnerFault(`protocol ${message.protocolVersion}, this host speaks ${protocolVersion}`);
    }
    this.isReady = true;
    clearTimeout(this.#startTimer);
    this.#onReady.resolve(message);
  }

  /** The runner did not understand a line of ours, and says so before it ends. */
  #takeUnaddressed(message: ErrorMessage): void {
    if (this.#exchange === undefined) throw new RunnerFault(`an error line: ${message.message}`);
    this.#settle(message);
    this.kill("retired");
  }

  #settle(answer: Answer): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (exchange === undefined) return;
    if (this.#killedFor === undefined) this.setKeepAlive(false);
    exchange.settle(answer);
  }
}

/** What the process wrote before it ended may still be on its way. */
async function waitForClose(child: ChildProcessWithoutNullStreams): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    child.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
}
