import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { startProcess } from "../../src/runner/start-process.ts";
import type { Outcome } from "../probe.ts";
import { type LineModule, lineModules } from "./line-modules.ts";

/** A runner that says nothing for so long hangs. */
const patienceMs = 10_000;

/** A line of the runner's; what a probe does not look at it does not check. */
export interface LineMessage {
  type: string;
  id?: number | null;
  code?: string;
  reason?: string;
  request?: number;
  value?: unknown;
}

export interface CallbackOptions {
  input?: unknown;
  /** In the place of `input`: what JSON.stringify could not write. */
  inputText?: string;
  digest?: string;
  budgetMs?: number;
}

/** Speaks the line protocol with one runner, and does not keep to it where a probe wants that. */
export class LineSession implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<{ exitCode: number | null; signal: string | null }>;
  readonly #lines: LineMessage[] = [];
  #hasClosed = false;
  #wake: (() => void) | undefined;
  /** The id of the last callback. */
  lastId = 0;

  private constructor(program: string, args: readonly string[]) {
    this.#child = startProcess(program, args, { env: {}, cwd: "/", detached: true });
    this.#ended = new Promise((resolve) => {
      this.#child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    // A runner that is gone does not read: its end is what the probe looks at.
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.resume();
    this.#readLines();
  }

  static async start(program: string, args: readonly string[] = []): Promise<LineSession> {
    const session = new LineSession(program, args);
    const ready = await session.receive();
    if (ready?.type !== "ready") throw new Error(`${program} began with ${JSON.stringify(ready)}`);
    return session;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #readLines(): void {
    let rest = "";
    const wake = () => this.#wake?.();
    this.#child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop()!;
      for (const part of parts) this.#lines.push(JSON.parse(part));
      wake();
    });
    this.#child.stdout.once("close", () => {
      this.#hasClosed = true;
      wake();
    });
  }

  /** The next line; undefined at the end of the output. */
  async receive(): Promise<LineMessage | undefined> {
    while (this.#lines.length === 0 && !this.#hasClosed) {
      await within(new Promise<void>((resolve) => (this.#wake = resolve)));
    }
    return this.#lines.shift();
  }

  /** The next result or error, whatever else comes before it. */
  async answer(): Promise<LineMessage> {
    for (;;) {
      const message = await this.receive();
      if (message === undefined) return { type: "end", code: "no answer" };
      if (message.type === "result" || message.type === "error") return message;
    }
  }

  write(bytes: string | Buffer): void {
    this.#child.stdin.write(bytes);
  }

  send(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** The message for one of {@link lineModules}; all of them are the runner's mod. */
  callback(
    module: LineModule,
    { input = null, digest = "0".repeat(64), budgetMs = 5000 }: CallbackOptions,
  ): object {
    this.lastId += 1;
    const hook = { module, export: "default" };
    const mod = { name: "probe", digest };
    return { type: "callback", id: this.lastId, mod, modules: lineModules, hook, input, budgetMs };
  }

  /** One callback and what comes of it. */
  async run(module: LineModule, options: CallbackOptions): Promise<Outcome> {
    const { inputText } = options;
    const message = this.callback(module, inputText === undefined ? options : { ...options, input: "@" });
    this.write(`${JSON.stringify(message).replace('"input":"@"', () => `"input":${inputText}`)}\n`);
    const answer = await this.answer();
    return answer.type === "result" ? { code: "ok", value: answer.value } : { code: String(answer.code) };
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  stopReading(): void {
    this.#child.stdout.pause();
  }

  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  ended(): Promise<{ exitCode: number | null; signal: string | null }> {
    return within(this.#ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

async function within<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing in ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
