import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { CodexError, CodexExitError, createAbortError, createStartError } from "../errors.ts";
import { findExitHint } from "../exit-hints.ts";
import { createLineReader } from "../framing.ts";
import { defaultRecordDir, recordEngine } from "../orphan-records.ts";
import { OutputTail } from "../output-tail.ts";
import {
  createMarker,
  endSurvivors,
  identifyProcess,
  killEngineProcesses,
  killTree,
  markerVariable,
  type ProcessIdentity,
  readDescendants,
  signalProcess,
} from "../process-tree.ts";
import type { Redact } from "../redact.ts";
import { type LiveEngine, registerEngine, unregisterEngine } from "./live-engines.ts";
import { readUntilExit } from "./read-until-exit.ts";
import { startChild } from "./spawn.ts";
import { settlesWithin } from "./wait.ts";

/** How to start an engine. */
export interface EngineCommand {
  executablePath: string;
  args: readonly string[];
  env: Record<string, string>;
  /** Goes to stdin, which is then closed. */
  input: string;
  signal: AbortSignal | undefined;
  /** The folder that the engine is told to work in, for hints. */
  workingDirectory: string | undefined;
  /** For what comes on stderr. */
  redact: Redact;
}

/** How the process ended. */
type End = { exitCode: number | null; signal: string | null } | { startError: Error };

/** How long an interrupted engine may take to end its tools; it takes about 20 ms. */
const interruptGraceMs = 2000;
/** How long an engine may go on after its turn: it sends its telemetry then, which takes about 2 s. */
const exitGraceMs = 5000;
/** How long a pipe may stay silent after the engine's exit, where something else holds it open. */
const quietMs = 500;
const stderrLimitBytes = 64 * 1024;

/** One engine process that runs one turn. It is gone when `stop` or `finish` has resolved. */
export class EngineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #command: EngineCommand;
  readonly #stderr = new OutputTail(stderrLimitBytes);
  readonly #end: Promise<End>;
  readonly #live: LiveEngine;
  readonly #marker = createMarker();
  /** Undefined where the process is gone already, or the system does not tell. */
  readonly #identity: Promise<ProcessIdentity | undefined>;
  #isGone = false;
  #inputError: Error | undefined;
  #abortError: CodexError | undefined;
  #stopping: Promise<void> | undefined;

  /** @throws CodexError CODEX_JS_SDK_ENGINE_NOT_STARTED where the system refuses at once */
  constructor(command: EngineCommand) {
    this.#command = command;
    try {
      this.#child = startChild(command.executablePath, command.args, {
        ...command.env,
        [markerVariable]: this.#marker,
      });
    } catch (error) {
      throw createStartError(error as Error);
    }
    this.#live = { pid: this.#child.pid ?? 0, signal: "SIGINT" };
    const { pid } = this.#child;
    this.#identity = pid === undefined ? Promise.resolve(undefined) : identifyProcess(pid);
    const record = recordEngine(defaultRecordDir(), this.#identity, this.#marker);
    this.#end = this.#watchEnd();
    this.#end.then(async () => (await record)());
    if (!this.#isStarted) return;
    registerEngine(this.#live);
    this.#child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    this.#sendInput(command.input);
    command.signal?.addEventListener("abort", this.#abort);
  }

  /**
   * The lines of stdout, until the process has ended without fault.
   * @throws CodexError ABORT_ERR, CODEX_JS_SDK_ENGINE_NOT_STARTED, CODEX_JS_SDK_ENGINE_EXITED or
   * CODEX_JS_SDK_PROMPT_NOT_READ
   */
  async *readLines(): AsyncGenerator<string, void, undefined> {
    const lines: string[] = [];
    const reader = createLineReader({
      onLine: (line) => void lines.push(line),
      onOversizedLine: (head) => {
        throw createLengthError(this.#command.redact(head));
      },
    });
    if (this.#isStarted) {
      for await (const chunk of readUntilExit(this.#child.stdout, this.#end, quietMs)) {
        reader.push(chunk);
        for (const line of lines.splice(0)) {
          if (this.#abortError === undefined) yield line;
        }
      }
      // A process that has closed its stdout has nothing more to say.
      if (!(await settlesWithin(this.#end, exitGraceMs))) await this.stop();
    }
    await this.#checkEnd();
    // Only now: half a line of a process that crashed says less than the crash.
    const rest = reader.end();
    if (rest !== "") yield rest;
  }

  /** {@link stop}, and `readLines` throws `error`. */
  abort(error: CodexError): Promise<void> {
    this.#abortError ??= error;
    return this.stop();
  }

  /** Ends the process and what it has started, and waits until it is gone. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Lets the process end by itself for a while, then stops it. From here on the signal has no effect. */
  async finish(): Promise<void> {
    this.#command.signal?.removeEventListener("abort", this.#abort);
    this.#live.signal = "SIGTERM";
    this.#child.stdout.resume();
    if (!(await settlesWithin(this.#end, exitGraceMs))) await this.stop();
    this.#closePipes();
  }

  get #isStarted(): boolean {
    return this.#child.pid !== undefined;
  }

  readonly #abort = () => {
    void this.abort(createAbortError(this.#command.signal!));
  };

  async #watchEnd(): Promise<End> {
    const end = await new Promise<End>((resolve) => {
      this.#child.once("error", (startError) => resolve({ startError }));
      this.#child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    this.#isGone = true;
    unregisterEngine(this.#live);
    this.#command.signal?.removeEventListener("abort", this.#abort);
    return end;
  }

  /**
   * A process that closes its stdin early breaks the pipe under a large prompt. Without a listener
   * that error would end this process (https://github.com/openai/codex-action/issues/153).
   */
  #sendInput(input: string): void {
    this.#child.stdin.on("error", (error) => {
      this.#inputError = error;
    });
    this.#child.stdin.end(input);
  }

  async #checkEnd(): Promise<void> {
    const end = await this.#end;
    if (this.#abortError !== undefined) {
      await this.stop();
      throw this.#abortError;
    }
    if ("startError" in end) throw createStartError(end.startError);
    if (end.exitCode !== 0 || end.signal !== null) {
      const stderr = await this.#readStderr();
      const hint = findExitHint(stderr, this.#command.workingDirectory);
      throw new CodexExitError({ ...end, stderr }, { hint, cause: this.#inputError });
    }
    if (this.#inputError !== undefined) {
      const size = Buffer.byteLength(this.#command.input);
      throw new CodexError(
        "CODEX_JS_SDK_PROMPT_NOT_READ",
        `the engine closed its stdin before it had read the whole prompt (${size} bytes): ${await this.#readStderr()}`,
        { cause: this.#inputError },
      );
    }
  }

  async #stop(): Promise<void> {
    if (this.#isStarted && !this.#isGone) {
      const pid = this.#child.pid!;
      const tree = await readDescendants(pid);
      // The engine answers SIGINT by ending its tools; any other signal leaves them running, since each
      // has a session of its own (https://github.com/openai/codex/issues/21994).
      const canInterrupt = process.platform !== "win32";
      if (canInterrupt) signalProcess(pid, "SIGINT");
      if (!canInterrupt || !(await settlesWithin(this.#end, interruptGraceMs))) await killTree(pid);
      await settlesWithin(this.#end, interruptGraceMs);
      await endSurvivors(tree);
      // What has a session of its own by now no longer hangs below the engine.
      const identity = await this.#identity;
      if (identity !== undefined) await killEngineProcesses(identity, this.#marker);
    }
    this.#closePipes();
  }

  /** Something that the engine started may hold the other ends open: they must not hold this process. */
  #closePipes(): void {
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) pipe?.destroy();
  }

  /** What came on stderr, without the key that the engine was given. */
  async #readStderr(): Promise<string> {
    const { stderr } = this.#child;
    const closed = new Promise((resolve) => stderr.once("close", resolve));
    if (!stderr.closed) await settlesWithin(closed, quietMs);
    return this.#command.redact(String(this.#stderr));
  }
}

function createLengthError(head: string): CodexError {
  return new CodexError(
    "CODEX_JS_SDK_MESSAGE_TOO_LONG",
    `the engine printed a line of more than 64 MiB: ${head.slice(0, 200)}…`,
  );
}
