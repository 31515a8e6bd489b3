/** Base64 over bytes, in the plain and the URL-safe alphabet. */
import { type Bytes, lengthOf } from "../realm/bytes.ts";
import { mathFloor, stringCharCodeAt, Uint8ArrayConstructor } from "../realm/primordials.ts";

export interface Alphabet {
  readonly characters: string;
  /** The value of each character code below 128; 255 for all others. */
  readonly values: Uint8Array;
}

function alphabet(characters: string): Alphabet {
  const values = new Uint8ArrayConstructor(128);
  for (let code = 0; code < 128; code += 1) {
    values[code] = 255;
  }
  for (let value = 0; value < characters.length; value += 1) {
    values[stringCharCodeAt(characters, value)] = value;
  }
  return { characters, values };
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const PLAIN = alphabet(`${LETTERS}+/`);
export const URL_SAFE = alphabet(`${LETTERS}-_`);

/** Without padding. */
export function encodeBase64(bytes: Bytes, { characters }: Alphabet): string {
  const length = lengthOf(bytes);
  let text = "";
  for (let index = 0; index < length; index += 3) {
    const group = (bytes[index]! << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const digits = length - index >= 3 ? 4 : length - index + 1;
    for (let digit = 0; digit < digits; digit += 1) {
      text += characters[(group >>> (18 - 6 * digit)) & 63];
    }
  }
  return text;
}

/** Of a text without padding; undefined when it is none, by its length or a character. */
export function decodeBase64(text: string, { values }: Alphabet): Bytes | undefined {
  if (text.length % 4 === 1) {
    return undefined;
  }
  const bytes = new Uint8ArrayConstructor(mathFloor((text.length * 3) / 4));
  let buffered = 0;
  let bits = 0;
  let written = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = stringCharCodeAt(text, index);
    const value = code < 128 ? values[code]! : 255;
    if (value === 255) {
      return undefined;
    }
    buffered = ((buffered << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[written] = buffered >>> bits;
      written += 1;
    }
  }
  return bytes;
}
