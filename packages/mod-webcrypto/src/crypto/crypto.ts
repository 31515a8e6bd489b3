import type { NativeOps } from "../native-ops.ts";
import type { Bytes } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { shapeFunction, shapeInterface } from "../realm/interface.ts";
import {
  bare,
  TypeErrorConstructor,
  typedArrayBuffer,
  typedArrayByteLength,
  typedArrayByteOffset,
  typedArrayKind,
  typedArraySet,
  Uint8ArrayConstructor,
} from "../realm/primordials.ts";
import { requireArguments, typeError } from "../web-idl/convert.ts";
import { createSubtle } from "./subtle-crypto.ts";

const MAX_RANDOM_BYTES = 65_536;

const INTEGER_ARRAYS: { readonly [kind: string]: true } = bare({
  Int8Array: true,
  Uint8Array: true,
  Uint8ClampedArray: true,
  Int16Array: true,
  Uint16Array: true,
  Int32Array: true,
  Uint32Array: true,
  BigInt64Array: true,
  BigUint64Array: true,
});

const TOKEN = {};

/** `crypto` and the classes around it. */
export function createCrypto(ops: NativeOps) {
  const { SubtleCrypto, subtle } = createSubtle(ops);

  class Crypto {
    readonly #brand = true;

    constructor(token?: unknown) {
      if (token !== TOKEN) {
        throw new TypeErrorConstructor("Illegal constructor");
      }
    }

    get subtle(): typeof subtle {
      Crypto.#check(this);
      return subtle;
    }

    /** Fills an integer array of at most 65,536 bytes in place, and returns it. */
    getRandomValues(...given: [array?: unknown]): unknown {
      Crypto.#check(this);
      requireArguments(given.length, 1);
      const array = given[0];
      const kind = typedArrayKind(array);
      if (kind === undefined || INTEGER_ARRAYS[kind] === undefined) {
        throw domException("TypeMismatchError", "The data argument must be an integer-type TypedArray");
      }
      const length = typedArrayByteLength(array);
      if (length > MAX_RANDOM_BYTES) {
        throw domException("QuotaExceededError", `More than ${MAX_RANDOM_BYTES} bytes were asked for`);
      }
      if (length > 0) {
        const bytes = new Uint8ArrayConstructor(typedArrayBuffer(array), typedArrayByteOffset(array), length);
        typedArraySet(bytes, ops.random(length));
      }
      return array;
    }

    randomUUID(): string {
      Crypto.#check(this);
      return formatUuid(ops.random(16));
    }

    static #check(value: unknown): void {
      if (typeof value !== "object" || value === null || !(#brand in value)) {
        throw typeError("Illegal invocation: this is no Crypto");
      }
    }
  }

  shapeFunction(Crypto.prototype.getRandomValues, 1);
  shapeInterface(Crypto);
  return { Crypto, SubtleCrypto, crypto: new Crypto(TOKEN) };
}

const HEX = "0123456789abcdef";

/** Version 4, variant 1 (RFC 9562, 5.4). */
function formatUuid(bytes: Bytes): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let text = "";
  for (let index = 0; index < 16; index += 1) {
    const dash = index === 4 || index === 6 || index === 8 || index === 10;
    text += `${dash ? "-" : ""}${HEX[bytes[index]! >>> 4]}${HEX[bytes[index]! & 15]}`;
  }
  return text;
}
