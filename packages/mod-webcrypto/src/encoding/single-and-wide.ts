/** The decoders of UTF-16 and windows-1252, by the Encoding Standard. */
import { emitUnit } from "./text-builder.ts";
import type { ByteDecoder } from "./utf8.ts";

const REPLACEMENT = 0xfffd;

export class Utf16Decoder implements ByteDecoder {
  failed = false;
  readonly #isBigEndian: boolean;
  #first = -1;
  #lead = -1;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  push(byte: number): void {
    if (this.#first < 0) {
      this.#first = byte;
      return;
    }
    const unit = this.#isBigEndian ? (this.#first << 8) | byte : (byte << 8) | this.#first;
    this.#first = -1;
    this.#unit(unit);
  }

  finish(): void {
    if (this.#first >= 0 || this.#lead >= 0) {
      this.#first = -1;
      this.#lead = -1;
      this.#fail();
    }
  }

  #unit(unit: number): void {
    const isTrail = unit >= 0xdc00 && unit <= 0xdfff;
    if (this.#lead >= 0) {
      const lead = this.#lead;
      this.#lead = -1;
      if (isTrail) {
        emitUnit(lead);
        emitUnit(unit);
        return;
      }
      this.#fail();
    }
    if (unit >= 0xd800 && unit <= 0xdbff) {
      this.#lead = unit;
    } else if (isTrail) {
      this.#fail();
    } else {
      emitUnit(unit);
    }
  }

  #fail(): void {
    this.failed = true;
    emitUnit(REPLACEMENT);
  }
}

/**
 * What windows-1252 has at 0x80 to 0x9f; everything else is the code point of the same number. Numbers and
 * no string: one character beyond ASCII would double what the script takes in a runner.
 */
// biome-ignore format: eight in a line, as tables of code pages have them.
const WINDOWS_1252: readonly number[] = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
  0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f,
  0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
  0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
];

export class Windows1252Decoder implements ByteDecoder {
  readonly failed = false;

  push(byte: number): void {
    emitUnit(byte >= 0x80 && byte <= 0x9f ? WINDOWS_1252[byte - 0x80]! : byte);
  }

  finish(): void {}
}
