import type { Bytes } from "../realm/bytes.ts";
import type { CryptoKey, KeySlots } from "./crypto-key.ts";
import type { Jwk } from "./jwk.ts";
import type { Usages } from "./key-usages.ts";

/** The standard's registered operations. */
export type Operation =
  | "encrypt"
  | "decrypt"
  | "sign"
  | "verify"
  | "digest"
  | "generateKey"
  | "importKey"
  | "exportKey"
  | "deriveBits"
  | "wrapKey"
  | "unwrapKey"
  | "getKeyLength";

/** Parameters after normalisation: copied, converted, and without a prototype. */
export interface Params {
  hash?: string;
  length?: number;
  namedCurve?: string;
  modulusLength?: number;
  publicExponent?: Bytes;
  saltLength?: number;
  label?: Bytes;
  counter?: Bytes;
  iv?: Bytes;
  additionalData?: Bytes;
  tagLength?: number;
  salt?: Bytes;
  info?: Bytes;
  iterations?: number;
  public?: KeySlots;
}

export type ReadParams = (identifier: unknown, operation: Operation) => Params;

export type KeyFormat = "raw" | "pkcs8" | "spki" | "jwk";

export interface KeyRequest {
  readonly extractable: boolean;
  readonly usages: Usages;
}

export interface CryptoKeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** What a key is imported from: the JWK when the format is `jwk`, else bytes. */
export interface KeySource {
  readonly format: KeyFormat;
  readonly bytes: Bytes;
  readonly jwk: Jwk;
}

/**
 * One algorithm: a function for each operation that it has. Without a prototype, so that an operation it
 * lacks is not found on `Object.prototype`. All of them run to their end before they return.
 */
export interface Algorithm {
  readonly name: string;
  /** Reads the parameters of an operation; operations without an entry have none. */
  readonly params?: { readonly [operation in Operation]?: ReadParams };
  readonly encrypt?: (params: Params, key: KeySlots, data: Bytes) => Bytes;
  readonly decrypt?: (params: Params, key: KeySlots, data: Bytes) => Bytes;
  readonly sign?: (params: Params, key: KeySlots, data: Bytes) => Bytes;
  readonly verify?: (params: Params, key: KeySlots, signature: Bytes, data: Bytes) => boolean;
  readonly digest?: (data: Bytes) => Bytes;
  readonly generateKey?: (params: Params, request: KeyRequest) => CryptoKey | CryptoKeyPair;
  readonly importKey?: (source: KeySource, params: Params, request: KeyRequest) => CryptoKey;
  readonly exportKey?: (format: KeyFormat, key: KeySlots) => Bytes | Jwk;
  /** `length` is in bits; null asks for all there is. */
  readonly deriveBits?: (params: Params, key: KeySlots, length: number | null) => Bytes;
  readonly wrapKey?: (key: KeySlots, data: Bytes) => Bytes;
  readonly unwrapKey?: (key: KeySlots, data: Bytes) => Bytes;
  /** Bits of a key to derive; null where any length will do. */
  readonly getKeyLength?: (params: Params) => number | null;
}
