const lineFeed = 0x0a;

/**
 * Cuts a stream of bytes into lines at LF and at nothing else, and keeps no more than one line of at most
 * `limitBytes`.
 */
export class LineReader {
  readonly #limitBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * The lines that `chunk` completes, without their LF.
   * @throws RangeError where a line is longer than the limit
   */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Bytes after the last LF. */
  get restBytes(): number {
    return this.#bytes;
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#limitBytes) {
      throw new RangeError(`a line of more than ${this.#limitBytes} bytes`);
    }
    this.#pieces.push(piece);
  }

  #take(): Uint8Array {
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }
}
