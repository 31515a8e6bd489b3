import buffer from "node:buffer";

/** The default bound of one line, 64 MiB. */
export const defaultMaxLineBytes = 64 * 1024 * 1024;

const lineFeed = 0x0a;
/** A buffer for unfinished lines that has grown past this is given back once its line is through. */
const keptPendingBytes = 4 * 1024 * 1024;
/** How much of a line past the bound is kept, to tell what it was. */
const keptHeadBytes = 1024;
/** From here on, V8's own decoder of non-ASCII text loses to a detour over UTF-16. */
const transcodeFromBytes = 4096;
/**
 * Node leaves strings of that many characters and more outside of V8's heap. A shorter one of hundreds of
 * kilobytes gets fresh pages of the heap, which take five times as long (Node 24: 1 MB in 0.41 ms against
 * 0.05 ms), so a long line is decoded with what lies behind it and then cut.
 */
const externalFromChars = 0xfbee9;
/** From here on that pays. */
const padFromBytes = 256 * 1024;
/** Room for such a line and for what is decoded with it. */
const longPendingBytes = 2 * 1024 * 1024;

export interface LineReaderOptions {
  /** Bytes of one line without its line feed; default {@link defaultMaxLineBytes}. */
  maxLineBytes?: number;
  /** Gets each line without its line feed, and no empty ones. */
  onLine: (line: string) => void;
  /**
   * Gets the first bytes of a line past the bound, once for each. The rest of it is skipped without
   * being kept, and reading goes on with the next line.
   */
  onOversizedLine: (head: string) => void;
}

export interface LineReader {
  push(chunk: Uint8Array): void;
  /** What came after the last line feed; empty if nothing did. */
  end(): string;
  /** Bytes that wait for the rest of their line. */
  readonly pendingBytes: number;
}

/**
 * Splits bytes into lines at LF alone: U+2028 and a lone CR are part of a line (a CR before the LF is
 * white space to JSON). Only whole lines are decoded, so a character may be cut anywhere. A chunk's
 * whole lines are decoded in one go; an unfinished line is copied once into one buffer, however many
 * chunks it comes in.
 */
export function createLineReader(options: LineReaderOptions): LineReader {
  const { onLine, onOversizedLine, maxLineBytes = defaultMaxLineBytes } = options;
  let pending = Buffer.allocUnsafeSlow(64 * 1024);
  let pendingBytes = 0;
  let skipping = false;

  const append = (chunk: Buffer, from: number, to: number): void => {
    const needed = pendingBytes + to - from;
    if (needed > maxLineBytes) {
      const head = Buffer.concat(
        [pending.subarray(0, pendingBytes), chunk.subarray(from, to)],
        keptHeadBytes,
      );
      skipOversized(head.toString("utf8", 0, Math.min(needed, keptHeadBytes)));
      return;
    }
    if (needed > pending.length) {
      const wanted = Math.max(pending.length * 2, needed < padFromBytes ? 0 : longPendingBytes);
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(wanted, maxLineBytes)));
      pending.copy(grown, 0, 0, pendingBytes);
      pending = grown;
    }
    chunk.copy(pending, pendingBytes, from, to);
    pendingBytes = needed;
  };

  const skipOversized = (head: string): void => {
    dropPending();
    skipping = true;
    onOversizedLine(head);
  };

  const dropPending = (): void => {
    pendingBytes = 0;
    if (pending.length > keptPendingBytes) pending = Buffer.allocUnsafeSlow(64 * 1024);
  };

  /** Ends the line that earlier chunks began; returns where the next one starts. */
  const finishPending = (chunk: Buffer): number => {
    const end = chunk.indexOf(lineFeed);
    if (end < 0) {
      if (!skipping) append(chunk, 0, chunk.length);
      return chunk.length;
    }
    if (!skipping) append(chunk, 0, end);
    if (!skipping) {
      const line = decodeLong(pending, pendingBytes) ?? decodeUtf8(pending, 0, pendingBytes);
      dropPending();
      if (line !== "") onLine(line);
    }
    skipping = false;
    return end + 1;
  };

  return {
    push: (bytes) => {
      const chunk = Buffer.isBuffer(bytes)
        ? bytes
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const start = pendingBytes > 0 || skipping ? finishPending(chunk) : 0;
      if (start === chunk.length) return;
      const end = chunk.lastIndexOf(lineFeed);
      if (end >= start) emitLines(chunk, start, end, maxLineBytes, onLine, onOversizedLine);
      if (end + 1 < chunk.length) append(chunk, Math.max(start, end + 1), chunk.length);
    },
    end: () => {
      const rest = decodeUtf8(pending, 0, pendingBytes);
      dropPending();
      return rest;
    },
    get pendingBytes() {
      return pendingBytes;
    },
  };
}

function emitLines(
  chunk: Buffer,
  from: number,
  to: number,
  maxLineBytes: number,
  onLine: (line: string) => void,
  onOversizedLine: (head: string) => void,
): void {
  // Within one chunk only a bound smaller than the chunk can be passed; then lines are looked at one by one.
  if (to - from > maxLineBytes) {
    for (let start = from; start <= to; ) {
      const end = chunk.indexOf(lineFeed, start);
      if (end - start > maxLineBytes) onOversizedLine(chunk.toString("utf8", start, start + keptHeadBytes));
      else if (end > start) onLine(decodeUtf8(chunk, start, end));
      start = end + 1;
    }
    return;
  }
  const text = decodeUtf8(chunk, from, to);
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    if (end > start) onLine(text.slice(start, end));
    start = end + 1;
  }
  if (start < text.length) onLine(text.slice(start));
}

/**
 * The first `length` bytes as a string outside of the heap; undefined where that does not pay, or does not
 * work. What follows them in `bytes` may be overwritten.
 */
function decodeLong(bytes: Buffer, length: number): string | undefined {
  if (length < padFromBytes || length >= externalFromChars || isTranscoderMissing) return undefined;
  const line = bytes.subarray(0, length);
  if (buffer.isAscii(line)) {
    if (bytes.length < externalFromChars) return undefined;
    return bytes.toString("latin1", 0, externalFromChars).slice(0, length);
  }
  // Text that is not ASCII has fewer characters than bytes: mostly, a tenth more will do.
  const padding = externalFromChars - Math.floor(length * 0.9);
  const end = length + padding;
  if (end > bytes.length || !buffer.isUtf8(line)) return undefined;
  bytes.fill(0x20, length, end);
  const text = buffer.transcode(bytes.subarray(0, end), "utf8", "utf16le").toString("utf16le");
  return text.slice(0, text.length - padding);
}

/** Bun's own decoder is the fastest there; a Node built without ICU has no `transcode`. */
const isTranscoderMissing = process.versions.bun !== undefined || buffer.transcode === undefined;

/**
 * As `toString("utf8")`, with U+FFFD for what is no UTF-8. V8's decoder takes two to four times as long
 * for long non-ASCII text as a transcoding to UTF-16 (Node 20 and 22: 4.4 ms against 1.0 ms for
 * 2.4 MB; Node 24: 1.7 against 0.9).
 */
function decodeUtf8(bytes: Buffer, from: number, to: number): string {
  if (to - from < transcodeFromBytes || isTranscoderMissing) return bytes.toString("utf8", from, to);
  const part = bytes.subarray(from, to);
  if (buffer.isAscii(part)) return part.toString("latin1");
  if (!buffer.isUtf8(part)) return part.toString("utf8");
  return buffer.transcode(part, "utf8", "utf16le").toString("utf16le");
}

/**
 * JSON of one message, on one line, that the engine can read: `JSON.stringify` writes lone surrogates
 * as escapes that the engine's parser refuses without an answer, so they become U+FFFD, in keys too.
 */
export function formatMessage(message: unknown): string {
  const text = JSON.stringify(message);
  if (!text.includes("\\ud")) return text;
  // An escaped backslash is taken as a whole, so that the text `\ud800` stays what it is.
  return text.replace(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (match) => (match === "\\\\" ? match : "\\ufffd"));
}
