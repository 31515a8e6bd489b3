/** The end of an output that may be of any length. */
export class OutputTail {
  readonly #limitBytes: number;
  #kept: Buffer = Buffer.alloc(0);

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  push(chunk: Buffer): void {
    const joined = Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.from(joined.subarray(Math.max(0, joined.length - this.#limitBytes)));
  }

  toString(): string {
    return this.#kept.toString("utf8");
  }
}
