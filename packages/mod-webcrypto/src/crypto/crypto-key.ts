import type { Bytes } from "../realm/bytes.ts";
import { copyBytes, lengthOf } from "../realm/bytes.ts";
import { shapeFunction, shapeInterface } from "../realm/interface.ts";
import { define, isObject, TypeErrorConstructor, typedArrayBuffer } from "../realm/primordials.ts";
import { type Usages, usageNames } from "./key-usages.ts";

export type KeyType = "public" | "private" | "secret";

/** The standard's KeyAlgorithm and its kin. Without a prototype; a mod sees a copy of it. */
export interface KeyAlgorithm {
  readonly name: string;
  readonly hash?: string;
  /** AES and HMAC: the key's length in bits. */
  readonly length?: number;
  readonly namedCurve?: string;
  /** RSA: bits. */
  readonly modulusLength?: number;
  readonly publicExponent?: Bytes;
}

/** A key's internal slots. Without a prototype. */
export interface KeySlots {
  readonly type: KeyType;
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithm;
  readonly usages: Usages;
  /** Secret: the key itself. RSA: PKCS #1 DER. Elliptic: the scalar of a private key, the point of a public one. */
  readonly material: Bytes;
  /** The public half of an elliptic private key: its point, or its 32 bytes. */
  readonly publicMaterial?: Bytes;
}

const TOKEN = {};

let readSlots: (value: unknown) => KeySlots | undefined;

/** The standard's CryptoKey. Its slots are private fields: nothing outside can read or forge them. */
export class CryptoKey {
  readonly #slots: KeySlots;
  #algorithm: object | undefined;
  #usages: string[] | undefined;

  static {
    readSlots = (value) => (isObject(value) && #slots in value ? value.#slots : undefined);
  }

  constructor(token?: unknown, slots?: KeySlots) {
    if (token !== TOKEN) {
      throw new TypeErrorConstructor("Illegal constructor");
    }
    this.#slots = slots!;
  }

  get type(): KeyType {
    return this.#slots.type;
  }

  get extractable(): boolean {
    return this.#slots.extractable;
  }

  /** The same object each time, as the standard says; changing it does not change the key. */
  get algorithm(): object {
    const { algorithm } = this.#slots;
    this.#algorithm ??= publicAlgorithm(algorithm);
    return this.#algorithm;
  }

  get usages(): string[] {
    const { usages } = this.#slots;
    this.#usages ??= usageNames(usages);
    return this.#usages;
  }
}

shapeInterface(CryptoKey);
shapeFunction(CryptoKey, 0);

export function makeKey(slots: KeySlots): CryptoKey {
  return new CryptoKey(TOKEN, slots);
}

/** The slots of a key, or undefined for everything else. */
export function slotsOf(value: unknown): KeySlots | undefined {
  return readSlots(value);
}

function publicAlgorithm(algorithm: KeyAlgorithm): object {
  const copy: Record<string, unknown> = { name: algorithm.name };
  if (algorithm.modulusLength !== undefined) {
    define(copy, "modulusLength", algorithm.modulusLength);
    const exponent = algorithm.publicExponent!;
    define(copy, "publicExponent", copyBytes(typedArrayBuffer(exponent), 0, lengthOf(exponent)));
  }
  if (algorithm.namedCurve !== undefined) {
    define(copy, "namedCurve", algorithm.namedCurve);
  }
  if (algorithm.length !== undefined) {
    define(copy, "length", algorithm.length);
  }
  if (algorithm.hash !== undefined) {
    define(copy, "hash", { name: algorithm.hash });
  }
  return copy;
}
