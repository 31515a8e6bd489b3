/** The decoders of UTF-16 and windows-1252, by the Encoding Standard. */
import { stringCharCodeAt } from "../realm/primordials.ts";
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

/** What windows-1252 has at 0x80 to 0x9f; everything else is the code point of the same number. */
const WINDOWS_1252 =
  "\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F" +
  "\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";

export class Windows1252Decoder implements ByteDecoder {
  readonly failed = false;

  push(byte: number): void {
    emitUnit(byte >= 0x80 && byte <= 0x9f ? stringCharCodeAt(WINDOWS_1252, byte - 0x80) : byte);
  }

  finish(): void {}
}
