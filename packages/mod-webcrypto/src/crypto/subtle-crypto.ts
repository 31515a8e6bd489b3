import { decodeUtf8 } from "../encoding/utf8.ts";
import type { NativeOps } from "../native-ops.ts";
import { type Bytes, concat, lengthOf, toArrayBuffer } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { shapeFunction, shapeInterface } from "../realm/interface.ts";
import {
  bare,
  stringCharCodeAt,
  stringSlice,
  TypeErrorConstructor,
  Uint8ArrayConstructor,
} from "../realm/primordials.ts";
import { promised } from "../realm/promised.ts";
import {
  isBufferSource,
  requireArguments,
  toBoolean,
  toBytes,
  toEnum,
  toSequence,
  toUnsignedInRange,
  typeError,
} from "../web-idl/convert.ts";
import { createAes } from "./aes.ts";
import type { CryptoKeyPair, KeyFormat, KeyRequest, KeySource } from "./algorithm.ts";
import { type CryptoKey, type KeySlots, slotsOf } from "./crypto-key.ts";
import { createCurve25519 } from "./curve25519.ts";
import { createEc } from "./ec.ts";
import { createHashes } from "./hashes.ts";
import { createHmac } from "./hmac.ts";
import { type Jwk, jwkJson, parseJwk, publicJwk, readJwk } from "./jwk.ts";
import { createKdfs } from "./kdf.ts";
import { USAGE_NAMES, type UsageName, type Usages, usageBit } from "./key-usages.ts";
import { createRegistry, type NormalizedAlgorithm, normalize, type Registry } from "./normalize.ts";
import { createParamReaders } from "./read-params.ts";
import { createRsa } from "./rsa.ts";

const FORMATS: readonly KeyFormat[] = ["raw", "pkcs8", "spki", "jwk"];
const NO_BYTES = new Uint8ArrayConstructor(0);
const NO_JWK: Jwk = bare({});

/** AES key wrap takes multiples of this; a JWK is filled up with spaces, which JSON allows. */
const WRAP_UNIT_BYTES = 8;

function createAlgorithms(ops: NativeOps): Registry {
  const readers = createParamReaders(() => registry);
  const registry: Registry = createRegistry(
    createHashes(ops),
    [createHmac(ops, readers)],
    createAes(ops, readers),
    createRsa(ops, readers),
    createEc(ops, readers),
    createCurve25519(ops, readers),
    createKdfs(ops, readers),
  );
  return registry;
}

function toKey(value: unknown): KeySlots {
  const slots = slotsOf(value);
  if (slots === undefined) {
    throw typeError("a CryptoKey is required");
  }
  return slots;
}

function toUsages(value: unknown): Usages {
  const bits = toSequence(
    value,
    (item) => usageBit(toEnum(item, USAGE_NAMES, "key usage") as UsageName),
    "keyUsages",
  );
  let usages = 0;
  for (let index = 0; index < bits.length; index += 1) {
    usages |= bits[index]!;
  }
  return usages;
}

function toFormat(value: unknown): KeyFormat {
  return toEnum(value, FORMATS, "key format") as KeyFormat;
}

/** InvalidAccessError unless the key is the algorithm's and is meant for this. */
function requireUse({ algorithm }: NormalizedAlgorithm, key: KeySlots, usage: UsageName): void {
  if (algorithm.name !== key.algorithm.name) {
    throw domException("InvalidAccessError", `the key is not for ${algorithm.name}`);
  }
  if (!(key.usages & usageBit(usage))) {
    throw domException("InvalidAccessError", `the key is not for ${usage}`);
  }
}

function isKey(generated: CryptoKey | CryptoKeyPair): generated is CryptoKey {
  return slotsOf(generated) !== undefined;
}

function requireNotEmpty(type: string, usages: Usages): void {
  if (type !== "public" && usages === 0) {
    throw domException("SyntaxError", "a secret or private key needs a usage");
  }
}

/** The first operation of the two that the algorithm has; the second's error when it has neither. */
function normalizeEither(
  registry: Registry,
  first: "wrapKey" | "unwrapKey",
  second: "encrypt" | "decrypt",
  identifier: unknown,
): NormalizedAlgorithm {
  try {
    return normalize(registry, first, identifier);
  } catch {
    return normalize(registry, second, identifier);
  }
}

function importKey(normalized: NormalizedAlgorithm, source: KeySource, request: KeyRequest): CryptoKey {
  const key = normalized.algorithm.importKey!(source, normalized.params, request);
  requireNotEmpty(slotsOf(key)!.type, request.usages);
  return key;
}

function exportKey(registry: Registry, format: KeyFormat, key: KeySlots): Bytes | Jwk {
  const { algorithm } = normalize(registry, "exportKey", key.algorithm.name);
  if (!key.extractable) {
    throw domException("InvalidAccessError", "the key is not extractable");
  }
  return algorithm.exportKey!(format, key);
}

/** A byte order mark in front of JSON is dropped, as every UTF-8 decoder of the platform does. */
function withoutMark(text: string): string {
  return text !== "" && stringCharCodeAt(text, 0) === 0xfeff ? stringSlice(text, 1) : text;
}

function jwkToWrap(jwk: Jwk, algorithmName: string): Bytes {
  const json = jwkJson(jwk);
  const rest = lengthOf(json) % WRAP_UNIT_BYTES;
  if (algorithmName !== "AES-KW" || rest === 0) {
    return json;
  }
  const spaces = new Uint8ArrayConstructor(WRAP_UNIT_BYTES - rest);
  for (let index = 0; index < lengthOf(spaces); index += 1) {
    spaces[index] = 0x20;
  }
  return concat(json, spaces);
}

function wrap(normalized: NormalizedAlgorithm, key: KeySlots, data: Bytes): Bytes {
  const { algorithm, params } = normalized;
  return algorithm.wrapKey === undefined
    ? algorithm.encrypt!(params, key, data)
    : algorithm.wrapKey(key, data);
}

function unwrap(normalized: NormalizedAlgorithm, key: KeySlots, data: Bytes): Bytes {
  const { algorithm, params } = normalized;
  return algorithm.unwrapKey === undefined
    ? algorithm.decrypt!(params, key, data)
    : algorithm.unwrapKey(key, data);
}

/** What `importKey` was given: bytes for a BufferSource, else a JWK. Whether it fits the format comes later. */
function toKeySource(format: KeyFormat, keyData: unknown): KeySource {
  return isBufferSource(keyData)
    ? { format, bytes: toBytes(keyData, "keyData"), jwk: NO_JWK }
    : { format, bytes: NO_BYTES, jwk: readJwk(keyData) };
}

function requireFormat({ format, jwk }: KeySource): void {
  if ((format === "jwk") === (jwk === NO_JWK)) {
    throw typeError(`the key data does not fit the format ${format}`);
  }
}

const TOKEN = {};

/** The class and its one instance. */
export function createSubtle(ops: NativeOps) {
  const registry = createAlgorithms(ops);

  class SubtleCrypto {
    readonly #brand = true;

    constructor(token?: unknown) {
      if (token !== TOKEN) {
        throw new TypeErrorConstructor("Illegal constructor");
      }
    }

    /** A missing argument needs no count: undefined is no key, no bytes and no sequence, a TypeError each. */
    static #check(value: unknown): void {
      if (typeof value !== "object" || value === null || !(#brand in value)) {
        throw typeError("Illegal invocation: this is no SubtleCrypto");
      }
    }

    encrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const slots = toKey(key);
        const bytes = toBytes(data, "data");
        const normalized = normalize(registry, "encrypt", algorithm);
        requireUse(normalized, slots, "encrypt");
        return toArrayBuffer(normalized.algorithm.encrypt!(normalized.params, slots, bytes));
      });
    }

    decrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const slots = toKey(key);
        const bytes = toBytes(data, "data");
        const normalized = normalize(registry, "decrypt", algorithm);
        requireUse(normalized, slots, "decrypt");
        return toArrayBuffer(normalized.algorithm.decrypt!(normalized.params, slots, bytes));
      });
    }

    sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const slots = toKey(key);
        const bytes = toBytes(data, "data");
        const normalized = normalize(registry, "sign", algorithm);
        requireUse(normalized, slots, "sign");
        return toArrayBuffer(normalized.algorithm.sign!(normalized.params, slots, bytes));
      });
    }

    verify(algorithm: unknown, key: unknown, signature: unknown, data: unknown): Promise<boolean> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const slots = toKey(key);
        const signatureBytes = toBytes(signature, "signature");
        const bytes = toBytes(data, "data");
        const normalized = normalize(registry, "verify", algorithm);
        requireUse(normalized, slots, "verify");
        return normalized.algorithm.verify!(normalized.params, slots, signatureBytes, bytes);
      });
    }

    digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const bytes = toBytes(data, "data");
        const normalized = normalize(registry, "digest", algorithm);
        return toArrayBuffer(normalized.algorithm.digest!(bytes));
      });
    }

    generateKey(
      algorithm: unknown,
      extractable: unknown,
      keyUsages: unknown,
    ): Promise<CryptoKey | CryptoKeyPair> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const request = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
        const normalized = normalize(registry, "generateKey", algorithm);
        const generated = normalized.algorithm.generateKey!(normalized.params, request);
        if (isKey(generated)) {
          requireNotEmpty("secret", request.usages);
        } else {
          requireNotEmpty("private", slotsOf(generated.privateKey)!.usages);
        }
        return generated;
      });
    }

    deriveKey(
      algorithm: unknown,
      baseKey: unknown,
      derivedKeyType: unknown,
      extractable: unknown,
      keyUsages: unknown,
    ): Promise<CryptoKey> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const slots = toKey(baseKey);
        const request = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
        const normalized = normalize(registry, "deriveBits", algorithm);
        const imported = normalize(registry, "importKey", derivedKeyType);
        const measured = normalize(registry, "getKeyLength", derivedKeyType);
        requireUse(normalized, slots, "deriveKey");
        const length = measured.algorithm.getKeyLength!(measured.params);
        const bytes = normalized.algorithm.deriveBits!(normalized.params, slots, length);
        return importKey(imported, { format: "raw", bytes, jwk: NO_JWK }, request);
      });
    }

    deriveBits(algorithm: unknown, baseKey: unknown, length: unknown = null): Promise<ArrayBuffer> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const slots = toKey(baseKey);
        const bits = length === null ? null : toUnsignedInRange(length, 32, "length");
        const normalized = normalize(registry, "deriveBits", algorithm);
        requireUse(normalized, slots, "deriveBits");
        return toArrayBuffer(normalized.algorithm.deriveBits!(normalized.params, slots, bits));
      });
    }

    importKey(
      format: unknown,
      keyData: unknown,
      algorithm: unknown,
      extractable: unknown,
      keyUsages: unknown,
    ): Promise<CryptoKey> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const source = toKeySource(toFormat(format), keyData);
        const request = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
        const normalized = normalize(registry, "importKey", algorithm);
        requireFormat(source);
        return importKey(normalized, source, request);
      });
    }

    exportKey(format: unknown, key: unknown): Promise<ArrayBuffer | object> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const kind = toFormat(format);
        const exported = exportKey(registry, kind, toKey(key));
        // A copy: the bytes in the slot stay the key's own.
        return kind === "jwk"
          ? publicJwk(exported as Jwk)
          : toArrayBuffer(concat(exported as Bytes, NO_BYTES));
      });
    }

    /** An algorithm of undefined is the name "undefined"; a missing one is a missing argument. */
    wrapKey(
      format: unknown,
      key: unknown,
      wrappingKey: unknown,
      ...algorithm: [wrapAlgorithm?: unknown]
    ): Promise<ArrayBuffer> {
      return promised(() => {
        SubtleCrypto.#check(this);
        requireArguments(algorithm.length + 3, 4);
        const kind = toFormat(format);
        const slots = toKey(key);
        const wrapping = toKey(wrappingKey);
        const normalized = normalizeEither(registry, "wrapKey", "encrypt", algorithm[0]);
        requireUse(normalized, wrapping, "wrapKey");
        const exported = exportKey(registry, kind, slots);
        const bytes =
          kind === "jwk" ? jwkToWrap(exported as Jwk, normalized.algorithm.name) : (exported as Bytes);
        return toArrayBuffer(wrap(normalized, wrapping, bytes));
      });
    }

    unwrapKey(
      format: unknown,
      wrappedKey: unknown,
      unwrappingKey: unknown,
      unwrapAlgorithm: unknown,
      unwrappedKeyAlgorithm: unknown,
      extractable: unknown,
      keyUsages: unknown,
    ): Promise<CryptoKey> {
      return promised(() => {
        SubtleCrypto.#check(this);
        const kind = toFormat(format);
        const wrapped = toBytes(wrappedKey, "wrappedKey");
        const unwrapping = toKey(unwrappingKey);
        const request = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
        const normalized = normalizeEither(registry, "unwrapKey", "decrypt", unwrapAlgorithm);
        const imported = normalize(registry, "importKey", unwrappedKeyAlgorithm);
        requireUse(normalized, unwrapping, "unwrapKey");
        const bytes = unwrap(normalized, unwrapping, wrapped);
        const source: KeySource =
          kind === "jwk"
            ? { format: kind, bytes: NO_BYTES, jwk: parseJwk(withoutMark(decodeUtf8(bytes))) }
            : { format: kind, bytes, jwk: NO_JWK };
        return importKey(imported, source, request);
      });
    }
  }

  shapeFunction(SubtleCrypto.prototype.wrapKey, 4);
  shapeInterface(SubtleCrypto);
  return { SubtleCrypto, subtle: new SubtleCrypto(TOKEN) };
}
