import { toArrayBuffer } from "../realm/bytes.ts";
import { shapeFunction, shapeInterface } from "../realm/interface.ts";
import { typedArrayKind, Uint8ArrayConstructor } from "../realm/primordials.ts";
import { toDomString, typeError } from "../web-idl/convert.ts";
import { type EncodeProgress, encodeUtf8, encodeUtf8Into } from "./utf8.ts";

/** The Encoding Standard's TextEncoder: UTF-8 only. */
export class TextEncoder {
  readonly #brand = true;

  get encoding(): string {
    TextEncoder.#check(this);
    return "utf-8";
  }

  encode(input: unknown = ""): Uint8Array {
    TextEncoder.#check(this);
    return new Uint8ArrayConstructor(toArrayBuffer(encodeUtf8(toDomString(input))));
  }

  encodeInto(source: unknown, destination: unknown): EncodeProgress {
    TextEncoder.#check(this);
    const text = toDomString(source);
    if (typedArrayKind(destination) !== "Uint8Array") {
      throw typeError("the destination must be a Uint8Array");
    }
    return encodeUtf8Into(text, destination as Uint8Array);
  }

  static #check(value: object): void {
    if (!(#brand in value)) {
      throw typeError("Illegal invocation: this is no TextEncoder");
    }
  }
}

shapeInterface(TextEncoder);
shapeFunction(TextEncoder.prototype.encode, 0);
