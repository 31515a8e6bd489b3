import { stripVTControlCharacters } from "node:util";
import type { Writer } from "./context.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;
const eraseLine = "\r\u001b[2K";

/**
 * Writers for two streams that may end in one terminal, with a live line on the second: erased before
 * anything that either of them writes, and drawn again below it. Streams that are no terminal are left as
 * they are. Signals are none of its business; what is drawn when the process exits is erased.
 */
export function createTerminal(stdout: Writer, stderr: Writer): { stdout: Writer; stderr: Writer } {
  if (stderr.isTTY !== true) return { stdout, stderr };
  const line = new LiveLine(stderr);
  return {
    stdout: stdout.isTTY === true ? wrapWriter(stdout, line) : stdout,
    stderr: Object.assign(wrapWriter(stderr, line), {
      showLine: (text: string | undefined) => line.show(text),
    }),
  };
}

function wrapWriter(stream: Writer, line: LiveLine): Writer {
  return {
    write: (text) => line.writeAbove(stream, text),
    isTTY: true,
    // A terminal can be resized.
    get columns() {
      return stream.columns;
    },
  };
}

class LiveLine {
  readonly #stream: Writer;
  readonly #eraseAtExit = () => this.#erase();
  #text: string | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;
  /** False behind output that did not end its line: drawing there would erase it. */
  #isAtLineStart = true;

  constructor(stream: Writer) {
    this.#stream = stream;
  }

  show(text: string | undefined): void {
    this.#text = text;
    if (text === undefined) this.#stop();
    else this.#start();
  }

  writeAbove(stream: Writer, text: string): unknown {
    this.#erase();
    const result = stream.write(text);
    if (text !== "") this.#isAtLineStart = text.endsWith("\n");
    this.#draw();
    return result;
  }

  #start(): void {
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#animate(), frameMs).unref();
      process.once("exit", this.#eraseAtExit);
    }
    this.#draw();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off("exit", this.#eraseAtExit);
    this.#erase();
  }

  #animate(): void {
    this.#frame = (this.#frame + 1) % frames.length;
    this.#draw();
  }

  #draw(): void {
    if (this.#text === undefined || !this.#isAtLineStart) return;
    // One cell stays free: a full line would wrap, and a wrapped line is erased only in part. A terminal
    // that does not know its size says 0.
    const width = (this.#stream.columns || 80) - 1;
    const line = `${frames[this.#frame]} ${toOneLine(this.#text)}`;
    this.#stream.write(eraseLine + [...line].slice(0, width).join(""));
    this.#isDrawn = true;
  }

  #erase(): void {
    if (this.#isDrawn) this.#stream.write(eraseLine);
    this.#isDrawn = false;
  }
}

/** What a child printed may hold colours, line feeds and cursor movements. */
function toOneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}+/gu, " ");
}
