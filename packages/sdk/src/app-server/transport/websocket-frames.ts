/** RFC 6455, section 5.2. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameReaderOptions {
  /** Bytes of one message, all its fragments together. */
  maxMessageBytes: number;
  onMessage(text: string): void;
  /** The first bytes of a message past the bound, at its end; the rest was not kept. */
  onOversizedMessage(head: string): void;
  onControl(opcode: number, payload: Buffer): void;
}

const keptHeadBytes = 1024;
const emptyPayload = Buffer.alloc(0);

interface Frame {
  opcode: number;
  isFinal: boolean;
  payload: Buffer;
  payloadBytes: number;
  /** Of the payload's bytes, how many have come. */
  filled: number;
}

/**
 * Reads a server's frames out of chunks that are cut anywhere. A payload is copied once, into a buffer of
 * its own size.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  #header = Buffer.alloc(14);
  #headerBytes = 0;
  #frame: Frame | undefined;
  #fragments: Buffer[] = [];
  #messageBytes = 0;
  #isInMessage = false;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** @throws Error on what RFC 6455 does not allow */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length)
      at = this.#frame === undefined ? this.#readHeader(chunk, at) : this.#readPayload(chunk, at);
  }

  #readHeader(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length) {
      this.#header[this.#headerBytes++] = chunk[at++]!;
      if (this.#headerBytes < 2) continue;
      const short = this.#header[1]! & 0x7f;
      const wanted = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (this.#headerBytes < wanted) continue;
      const length =
        short === 126
          ? this.#header.readUInt16BE(2)
          : short === 127
            ? Number(this.#header.readBigUInt64BE(2))
            : short;
      this.#headerBytes = 0;
      this.#startFrame(this.#header[0]!, this.#header[1]!, length);
      break;
    }
    return at;
  }

  #startFrame(first: number, second: number, payloadBytes: number): void {
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    const isControl = opcode >= 8;
    if ((first & 0x70) !== 0) throw new Error("a frame uses an extension that was not negotiated");
    if ((second & 0x80) !== 0) throw new Error("a server's frame is masked");
    if (isControl && (!isFinal || payloadBytes > 125))
      throw new Error("a control frame is fragmented or too long");
    if (!isControl && (opcode === opcodes.continuation) !== this.#isInMessage) {
      throw new Error(
        this.#isInMessage ? "a message begins inside another" : "a continuation has no beginning",
      );
    }
    if (!isControl) this.#isInMessage = true;
    const total = this.#messageBytes + payloadBytes;
    const kept = isControl || total <= this.#options.maxMessageBytes ? payloadBytes : keptHeadBytes;
    this.#frame = {
      opcode,
      isFinal,
      payloadBytes,
      filled: 0,
      payload: Buffer.allocUnsafe(Math.min(kept, payloadBytes)),
    };
    if (payloadBytes === 0) this.#endFrame(this.#frame);
  }

  #readPayload(chunk: Buffer, from: number): number {
    const frame = this.#frame!;
    const to = Math.min(chunk.length, from + frame.payloadBytes - frame.filled);
    if (frame.filled < frame.payload.length) chunk.copy(frame.payload, frame.filled, from, to);
    frame.filled += to - from;
    if (frame.filled === frame.payloadBytes) this.#endFrame(frame);
    return to;
  }

  #endFrame(frame: Frame): void {
    this.#frame = undefined;
    if (frame.opcode >= 8) {
      this.#options.onControl(frame.opcode, frame.payload);
      return;
    }
    this.#messageBytes += frame.payloadBytes;
    const isOversized = this.#messageBytes > this.#options.maxMessageBytes;
    if (!isOversized || this.#fragments.length === 0) this.#fragments.push(frame.payload);
    if (isOversized) this.#fragments = [this.#fragments[0]!.subarray(0, keptHeadBytes)];
    if (!frame.isFinal) return;
    const text = (
      this.#fragments.length === 1 ? this.#fragments[0]! : Buffer.concat(this.#fragments)
    ).toString("utf8");
    this.#fragments = [];
    this.#messageBytes = 0;
    this.#isInMessage = false;
    if (isOversized) this.#options.onOversizedMessage(text);
    else this.#options.onMessage(text);
  }
}

/** One frame of a client: masked, as RFC 6455 wants it. */
export function formatFrame(opcode: number, payload: Buffer = emptyPayload, isFinal = true): Buffer {
  const length = payload.length;
  const lengthBytes = length < 126 ? 0 : length < 0x1_0000 ? 2 : 8;
  const start = 2 + lengthBytes + 4;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = (isFinal ? 0x80 : 0) | opcode;
  frame[1] = 0x80 | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const mask = crypto.getRandomValues(frame.subarray(start - 4, start));
  for (let index = 0; index < length; index++) frame[start + index] = payload[index]! ^ mask[index & 3]!;
  return frame;
}

/** A message as one frame, or as several where a frame may only have so many bytes. */
export function formatMessageFrames(text: string, maxFrameBytes: number): Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const frames: Buffer[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += maxFrameBytes) {
    const end = start + maxFrameBytes;
    const opcode = start === 0 ? opcodes.text : opcodes.continuation;
    frames.push(formatFrame(opcode, bytes.subarray(start, end), end >= bytes.length));
  }
  return frames;
}
