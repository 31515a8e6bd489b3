/** UTF-8 both ways, by the Encoding Standard. */
import { type Bytes, copyBytes, lengthOf } from "../realm/bytes.ts";
import { stringCharCodeAt, typedArrayBuffer, Uint8ArrayConstructor } from "../realm/primordials.ts";
import { beginText, emitUnit, endText } from "./text-builder.ts";

const REPLACEMENT = 0xfffd;

/** How many bytes `encodeUtf8` makes of a code unit at most. */
const MAX_BYTES_PER_UNIT = 3;

/** A lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Bytes {
  const room = new Uint8ArrayConstructor(text.length * MAX_BYTES_PER_UNIT);
  const { written } = encodeUtf8Into(text, room);
  return copyBytes(typedArrayBuffer(room), 0, written);
}

export interface EncodeProgress {
  /** Code units of the text. */
  read: number;
  /** Bytes. */
  written: number;
}

/** As many whole characters as there is room for. */
export function encodeUtf8Into(text: string, room: Uint8Array): EncodeProgress {
  const capacity = lengthOf(room);
  let read = 0;
  let written = 0;
  while (read < text.length) {
    const point = codePointAt(text, read);
    const units = point > 0xffff ? 2 : 1;
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + bytes > capacity) {
      break;
    }
    writePoint(room, written, point, bytes);
    read += units;
    written += bytes;
  }
  return { read, written };
}

function writePoint(room: Uint8Array, at: number, point: number, bytes: number): void {
  if (bytes === 1) {
    room[at] = point;
    return;
  }
  for (let index = bytes - 1; index > 0; index -= 1) {
    room[at + index] = 0x80 | (point & 0x3f);
    point >>>= 6;
  }
  room[at] = ((0xf00 >>> bytes) & 0xff) | point;
}

function codePointAt(text: string, index: number): number {
  const unit = stringCharCodeAt(text, index);
  if (unit < 0xd800 || unit > 0xdfff) {
    return unit;
  }
  const next = index + 1 < text.length ? stringCharCodeAt(text, index + 1) : 0;
  if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) {
    return REPLACEMENT;
  }
  return 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
}

/** Turns bytes, one at a time, into code units for the text builder. Each error is a U+FFFD. */
export interface ByteDecoder {
  push(byte: number): void;
  /** Ends the input: an unfinished character is an error. */
  finish(): void;
  /** Whether there was an error. */
  readonly failed: boolean;
}

/** The Encoding Standard's UTF-8 decoder: one U+FFFD for each maximal part of a character that is none. */
export class Utf8Decoder implements ByteDecoder {
  failed = false;
  #point = 0;
  #needed = 0;
  #lower = 0x80;
  #upper = 0xbf;

  push(byte: number): void {
    if (this.#needed === 0) {
      this.#begin(byte);
      return;
    }
    if (byte < this.#lower || byte > this.#upper) {
      this.#needed = 0;
      this.#fail();
      this.#begin(byte);
      return;
    }
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#point = (this.#point << 6) | (byte & 0x3f);
    this.#needed -= 1;
    if (this.#needed === 0) {
      this.#emit(this.#point);
    }
  }

  finish(): void {
    if (this.#needed !== 0) {
      this.#needed = 0;
      this.#fail();
    }
  }

  #begin(byte: number): void {
    this.#lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    if (byte < 0x80) {
      this.#emit(byte);
    } else if (byte >= 0xc2 && byte <= 0xdf) {
      this.#expect(1, byte & 0x1f);
    } else if (byte >= 0xe0 && byte <= 0xef) {
      this.#expect(2, byte & 0xf);
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.#expect(3, byte & 0x7);
    } else {
      this.#fail();
    }
  }

  #expect(bytes: number, point: number): void {
    this.#needed = bytes;
    this.#point = point;
  }

  #fail(): void {
    this.failed = true;
    this.#emit(REPLACEMENT);
  }

  #emit(point: number): void {
    if (point > 0xffff) {
      emitUnit(0xd7c0 + (point >>> 10));
      emitUnit(0xdc00 + (point & 0x3ff));
    } else {
      emitUnit(point);
    }
  }
}

/** A whole text; errors become U+FFFD, and a byte order mark stays. */
export function decodeUtf8(bytes: Bytes): string {
  const decoder = new Utf8Decoder();
  const length = lengthOf(bytes);
  beginText();
  for (let index = 0; index < length; index += 1) {
    decoder.push(bytes[index]!);
  }
  decoder.finish();
  return endText();
}
