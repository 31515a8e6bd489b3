import { untilAborted } from "../app-server/server-requests.ts";
import { createAbortError, createClosedError } from "../errors.ts";
import { isTerminalEvent, type ThreadEvent } from "../events.ts";
import { checkImages, checkPrompt } from "../input.ts";
import type { CodexOptions } from "../options.ts";
import { defaultRecordDir, reapOrphans } from "../orphan-records.ts";
import { collectSecrets, createRedactor, type Redact } from "../redact.ts";
import type { Transport, TurnRequest } from "../transport.ts";
import { TurnLine } from "../turn-line.ts";
import { createExecArguments } from "./arguments.ts";
import { EngineProcess } from "./engine-process.ts";
import { createEnvironment } from "./environment.ts";
import { resolveEngine } from "./find-installed-engine.ts";
import { writeOutputSchemaFile } from "./output-schema-file.ts";
import { parseEvent } from "./parse-event.ts";

/** One `codex exec` process per turn. */
export class ExecTransport implements Transport {
  readonly #options: CodexOptions;
  readonly #executablePath: string;
  readonly #pathDirs: string[];
  readonly redact: Redact;
  readonly #line = new TurnLine();
  /** Engines whose turn is over and whose process is not, by thread. */
  readonly #finishing = new Map<string, Promise<void>>();
  /** Engines whose turn is not over. */
  readonly #running = new Set<EngineProcess>();
  /** What killed programs have left is ended before the first turn. */
  #reaped: Promise<number> | undefined;
  #isClosed = false;

  /** @throws CodexError CODEX_JS_SDK_ENGINE_NOT_FOUND */
  constructor(options: CodexOptions) {
    this.#options = options;
    const { executablePath, pathDirs } = resolveEngine(options);
    this.#executablePath = executablePath;
    this.#pathDirs = pathDirs;
    this.redact = createRedactor(collectSecrets(options, createEnvironment(options, [])));
  }

  async *runTurn(request: TurnRequest): AsyncGenerator<ThreadEvent, void, undefined> {
    const { outputSchema, signal } = request.turnOptions;
    if (signal?.aborted) throw createAbortError(signal);
    checkImages(request.images);
    checkPrompt(request.prompt);
    const leaves = [await this.#line.enter(request.thread, signal)];
    try {
      const threadId = request.thread.id;
      if (threadId !== null) leaves.push(await this.#line.enter(threadId, signal));
      const schemaFile = await writeOutputSchemaFile(outputSchema);
      try {
        const args = createExecArguments(this.#options, request, schemaFile.path);
        // Two engines must not write to one thread's file.
        const previous = threadId ? this.#finishing.get(threadId) : undefined;
        if (previous !== undefined) await untilAborted(previous, signal);
        if (signal?.aborted) throw createAbortError(signal);
        this.#reaped ??= reapOrphans(defaultRecordDir()).catch(() => 0);
        await this.#reaped;
        if (this.#isClosed) throw createClosedError();
        const engine = new EngineProcess({
          executablePath: this.#executablePath,
          args,
          env: createEnvironment(this.#options, this.#pathDirs),
          input: request.prompt,
          signal,
          workingDirectory: request.threadOptions.workingDirectory,
          redact: this.redact,
        });
        yield* this.#readTurn(engine, threadId);
      } finally {
        await schemaFile.remove();
      }
    } finally {
      for (const leave of leaves) leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const stopped = [...this.#running].map((engine) => engine.abort(createClosedError()));
    await Promise.all([...stopped, ...this.#finishing.values()]);
  }

  /**
   * Yields events up to the terminal one. The process may go on after that, or never end
   * (https://github.com/openai/codex/issues/7622): it is looked after in the background.
   */
  async *#readTurn(engine: EngineProcess, id: string | null): AsyncGenerator<ThreadEvent, void, undefined> {
    let threadId = id;
    let terminal: ThreadEvent | undefined;
    this.#running.add(engine);
    try {
      for await (const line of engine.readLines()) {
        const event = parseEvent(line, this.redact);
        if (event.type === "thread.started") threadId = event.thread_id;
        if (isTerminalEvent(event)) {
          terminal = event;
          break;
        }
        yield event;
      }
    } finally {
      this.#running.delete(engine);
      if (terminal === undefined) await engine.stop();
      else this.#finish(engine, threadId);
    }
    if (terminal !== undefined) yield terminal;
  }

  #finish(engine: EngineProcess, threadId: string | null): void {
    const done = engine.finish().finally(() => {
      if (threadId !== null && this.#finishing.get(threadId) === done) this.#finishing.delete(threadId);
    });
    if (threadId !== null) this.#finishing.set(threadId, done);
  }
}
