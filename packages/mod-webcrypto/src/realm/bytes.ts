import {
  arrayBufferByteLength,
  fromCharCode,
  stringCharCodeAt,
  typedArrayBuffer,
  typedArrayByteLength,
  typedArrayByteOffset,
  typedArraySet,
  Uint8ArrayConstructor,
} from "./primordials.ts";

/** Bytes that only this layer holds: its length is read with the captured getter all the same. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function lengthOf(bytes: Uint8Array): number {
  return typedArrayByteLength(bytes);
}

/** A copy of some bytes of a buffer. */
export function copyBytes(buffer: ArrayBufferLike, offset: number, length: number): Bytes {
  const copy = new Uint8ArrayConstructor(length);
  typedArraySet(copy, new Uint8ArrayConstructor(buffer, offset, length));
  return copy;
}

export function slice(bytes: Bytes, start: number, end: number): Bytes {
  return copyBytes(typedArrayBuffer(bytes), typedArrayByteOffset(bytes) + start, end - start);
}

export function concat(one: Bytes, other: Bytes): Bytes {
  const joined = new Uint8ArrayConstructor(lengthOf(one) + lengthOf(other));
  typedArraySet(joined, one);
  typedArraySet(joined, other, lengthOf(one));
  return joined;
}

/** The bytes in a buffer of their own, which a mod may have. */
export function toArrayBuffer(bytes: Bytes): ArrayBuffer {
  const buffer = typedArrayBuffer(bytes) as ArrayBuffer;
  const whole = typedArrayByteOffset(bytes) === 0 && arrayBufferByteLength(buffer) === lengthOf(bytes);
  return whole ? buffer : (typedArrayBuffer(slice(bytes, 0, lengthOf(bytes))) as ArrayBuffer);
}

export function asciiBytes(text: string): Bytes {
  const bytes = new Uint8ArrayConstructor(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = stringCharCodeAt(text, index);
  }
  return bytes;
}

/** Each byte as the character of the same number. */
export function latin1String(bytes: Bytes): string {
  const length = lengthOf(bytes);
  let text = "";
  for (let index = 0; index < length; index += 1) {
    text += fromCharCode(bytes[index]!);
  }
  return text;
}

/** An unsigned 32-bit number, big-endian. */
export function numberBytes(value: number): Bytes {
  const bytes = new Uint8ArrayConstructor(4);
  bytes[0] = value >>> 24;
  bytes[1] = value >>> 16;
  bytes[2] = value >>> 8;
  bytes[3] = value;
  return bytes;
}

export function bytesNumber(bytes: Bytes): number {
  return ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
}

/** Zeroes what lies behind the first `bits` bits of the last byte. */
export function truncateToBits(bytes: Bytes, bits: number): Bytes {
  const used = (bits + 7) >>> 3;
  const truncated = slice(bytes, 0, used);
  if (bits % 8 !== 0) {
    truncated[used - 1] = truncated[used - 1]! & (0xff << (8 - (bits % 8)));
  }
  return truncated;
}
