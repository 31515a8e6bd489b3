import { lengthOf } from "../realm/bytes.ts";
import { shapeInterface } from "../realm/interface.ts";
import { RangeErrorConstructor, stringCharCodeAt, stringSlice } from "../realm/primordials.ts";
import { readMember, toBoolean, toBytesAllowingShared, toDomString, typeError } from "../web-idl/convert.ts";
import { type EncodingName, encodingOf } from "./labels.ts";
import { Utf16Decoder, Windows1252Decoder } from "./single-and-wide.ts";
import { beginText, endText } from "./text-builder.ts";
import { type ByteDecoder, Utf8Decoder } from "./utf8.ts";

const BYTE_ORDER_MARK = 0xfeff;

function createDecoder(encoding: EncodingName): ByteDecoder {
  switch (encoding) {
    case "utf-8":
      return new Utf8Decoder();
    case "utf-16le":
    case "utf-16be":
      return new Utf16Decoder(encoding === "utf-16be");
    default:
      return new Windows1252Decoder();
  }
}

/** The Encoding Standard's TextDecoder for the encodings in `labels.ts`. */
export class TextDecoder {
  readonly #encoding: EncodingName;
  readonly #isFatal: boolean;
  readonly #keepsMark: boolean;
  /** Of the stream that is being decoded; none between streams. */
  #decoder: ByteDecoder | undefined;
  #isPastMark = false;

  constructor(label: unknown = "utf-8", options: unknown = undefined) {
    const name = toDomString(label);
    const encoding = encodingOf(name);
    const isFatal = toBoolean(readMember(options, "fatal"));
    const keepsMark = toBoolean(readMember(options, "ignoreBOM"));
    if (encoding === undefined) {
      throw new RangeErrorConstructor(`The "${name}" encoding is not supported`);
    }
    this.#encoding = encoding;
    this.#isFatal = isFatal;
    this.#keepsMark = keepsMark;
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#isFatal;
  }

  get ignoreBOM(): boolean {
    return this.#keepsMark;
  }

  decode(input: unknown = undefined, options: unknown = undefined): string {
    const bytes = input === undefined ? undefined : toBytesAllowingShared(input, "input");
    const stream = toBoolean(readMember(options, "stream"));
    this.#decoder ??= this.#begin();
    const decoder = this.#decoder;
    const length = bytes === undefined ? 0 : lengthOf(bytes);
    beginText();
    for (let index = 0; index < length; index += 1) {
      decoder.push(bytes![index]!);
    }
    if (!stream) {
      decoder.finish();
      this.#decoder = undefined;
    }
    const text = this.#withoutMark(endText());
    if (this.#isFatal && decoder.failed) {
      this.#decoder = undefined;
      throw typeError(`The encoded data was not valid for encoding ${this.#encoding}`);
    }
    return text;
  }

  #begin(): ByteDecoder {
    this.#isPastMark = false;
    return createDecoder(this.#encoding);
  }

  /** The first character of a stream is dropped when it is the mark; windows-1252 has none. */
  #withoutMark(text: string): string {
    if (this.#isPastMark || text === "") {
      return text;
    }
    this.#isPastMark = true;
    const hasMark = !this.#keepsMark && stringCharCodeAt(text, 0) === BYTE_ORDER_MARK;
    return hasMark ? stringSlice(text, 1) : text;
  }
}

shapeInterface(TextDecoder);
