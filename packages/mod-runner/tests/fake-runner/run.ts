// A runner that does as its plan says; in a process of its own, started by the script of create.ts.
import { appendFileSync, existsSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LineReader } from "../../src/runner/line-reader.ts";
import { type FakePlan, type FakeStep, ready, usage } from "./plan.ts";

/** Plays the plan. Never returns: it lives until a step, or its input's end, ends it. */
export async function runFake(plan: FakePlan): Promise<void> {
  if (plan.pidFile !== undefined) writeFileSync(plan.pidFile, String(process.pid));
  const lines = readLines();
  const fake = new Fake(lines, plan.journal);
  await fake.play(plan.start ?? [{ line: ready }]);
  for (let turn = 0; ; ) {
    const line = await fake.readLine();
    if (line === undefined) break;
    if (!["callback", "load", "render"].includes(line.type)) continue;
    fake.begin(line);
    await fake.play(plan.turns?.[turn] ?? plan.turns?.at(-1) ?? [{ answer: null }]);
    turn += 1;
  }
  if (plan.ignoresEnd) await live();
  process.exit(0);
}

/** `readline` would cut them at U+2028 as well. */
async function* readLines(): AsyncGenerator<string, void, undefined> {
  const reader = new LineReader(2 ** 26);
  for await (const chunk of process.stdin) {
    for (const line of reader.push(chunk)) yield Buffer.from(line).toString("utf8");
  }
}

interface Line {
  type: string;
  id: number;
}

class Fake {
  readonly #lines: AsyncIterator<string>;
  readonly #journal: string | undefined;
  #text = "";
  #current: Line = { type: "", id: 0 };
  #request = 0;
  readonly #kept: Buffer[] = [];

  constructor(lines: AsyncIterator<string>, journal: string | undefined) {
    this.#lines = lines;
    this.#journal = journal;
  }

  async readLine(): Promise<Line | undefined> {
    const next = await this.#lines.next();
    if (next.done) return undefined;
    this.#text = next.value;
    if (this.#journal !== undefined) appendFileSync(this.#journal, `${next.value}\n`);
    return JSON.parse(next.value);
  }

  begin(line: Line): void {
    this.#current = line;
  }

  async play(steps: readonly FakeStep[]): Promise<void> {
    for (const step of steps) await this.#play(step);
  }

  async #play(step: FakeStep): Promise<void> {
    if ("line" in step) this.#write(`${JSON.stringify(step.line)}\n`);
    else if ("text" in step) this.#write(step.text);
    else if ("base64" in step) writeAll(Buffer.from(step.base64, "base64"));
    else if ("repeat" in step) repeat(step.repeat, step.bytes);
    else if ("stderr" in step) writeSync(2, step.stderr);
    else if ("answer" in step) this.#answer(step.answer);
    else if ("error" in step) this.#writeAnswer({ type: "error", ...step.error });
    else if ("read" in step) await this.#readUntil(step.read);
    else if ("exit" in step) process.exit(step.exit);
    else if ("kill" in step) process.kill(process.pid, step.kill);
    else if ("allocate" in step) this.#kept.push(Buffer.alloc(step.allocate, 1));
    else if ("deafen" in step) await live();
    else if ("touch" in step) writeFileSync(step.touch, "");
    else while (!existsSync(step.await)) await sleep(5);
    // A signal to this very process comes a moment later.
    if ("kill" in step) await live();
  }

  async #readUntil(type: string): Promise<void> {
    for (;;) {
      const line = await this.readLine();
      if (line === undefined) process.exit(0);
      if (line.type === type) return;
    }
  }

  #answer(value: unknown): void {
    const isLoad = this.#current.type === "load";
    this.#writeAnswer(isLoad ? { type: "loaded", usage } : { type: "result", value, usage });
  }

  #writeAnswer(answer: object): void {
    this.#write(`${JSON.stringify({ id: this.#current.id, ...answer })}\n`);
  }

  #write(text: string): void {
    writeAll(
      text
        .replaceAll(/"\$ID"/g, () => String(this.#current.id))
        .replaceAll(/"\$REQUEST"/g, () => String(++this.#request))
        .replaceAll(/"\$LINE"/g, () => this.#text),
    );
  }
}

function repeat(text: string, bytes: number): void {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  for (let written = 0; written < bytes; written += chunk.length) writeAll(chunk);
}

/** Where nobody reads any more there is nothing left to do. */
function writeAll(text: string | Buffer): void {
  let rest: Buffer = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") process.exit(1);
    }
  }
}

function live(): Promise<never> {
  return new Promise(() => setInterval(() => {}, 1000));
}
