/** The end of an output that may be of any length. */
export class OutputTail {
  readonly #limitBytes: number;
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #totalBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#keptBytes += chunk.length;
    this.#totalBytes += chunk.length;
    // Twice the limit, so that not every chunk costs a copy.
    if (this.#keptBytes > 2 * this.#limitBytes) this.#trim();
  }

  /** The last bytes as text; says so in front where something was left out. */
  toString(): string {
    this.#trim();
    const text = Buffer.concat(this.#chunks).toString("utf8");
    const left = this.#totalBytes - this.#keptBytes;
    return left === 0 ? text : `… (${left} bytes left out)\n${text}`;
  }

  #trim(): void {
    if (this.#keptBytes <= this.#limitBytes) return;
    const tail = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#limitBytes));
    this.#chunks = [tail];
    this.#keptBytes = tail.length;
  }
}

/** The last lines of an output, without its colours, which make no sense inside an error's message. */
export function readLastLines(output: string, count: number): string {
  return output
    .replace(/\x1b\[[0-9;]*m/g, "")
    .trim()
    .split("\n")
    .slice(-count)
    .join("\n");
}
