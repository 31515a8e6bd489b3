const lineFeed = 0x0a;

/**
 * Cuts a stream of bytes into lines at LF and at nothing else: JSON texts may hold U+2028 and U+2029
 * as they are, where `readline` would cut them in two (https://github.com/openai/codex/issues/33617).
 */
export class LineSplitter {
  #pieces: Uint8Array[] = [];

  /** The lines that `chunk` completes, without their LF. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#pieces.push(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
    return lines;
  }

  /** What came after the last LF; undefined if nothing did. */
  end(): string | undefined {
    return this.#pieces.length === 0 ? undefined : this.#take();
  }

  /** Decodes only whole lines, so that no character is cut by a chunk's end. */
  #take(): string {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  }
}
