import type { NativeOps } from "../native-ops.ts";
import { type Bytes, lengthOf } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { bare, Uint8ArrayConstructor } from "../realm/primordials.ts";
import type { Algorithm, KeyRequest, KeySource, Params } from "./algorithm.ts";
import { type CryptoKey, type KeySlots, makeKey } from "./crypto-key.ts";
import { checkJwk, checkJwkAlg, exportedJwk, type Jwk, jwkBytes, jwkText } from "./jwk.ts";
import { requireUsagesWithin, type Usages, usagesOf } from "./key-usages.ts";
import type { ParamReaders } from "./read-params.ts";

const CIPHER_USAGES = usagesOf("encrypt", "decrypt", "wrapKey", "unwrapKey");
const WRAP_USAGES = usagesOf("wrapKey", "unwrapKey");
const BLOCK_BYTES = 16;
const DEFAULT_TAG_BITS = 128;

export function createAes(ops: NativeOps, readers: ParamReaders): Algorithm[] {
  return [aesCtr(ops, readers), aesCbc(ops, readers), aesGcm(ops, readers), aesKw(ops, readers)];
}

function aesCtr(ops: NativeOps, readers: ParamReaders): Algorithm {
  const transform = (params: Params, key: KeySlots, data: Bytes) => {
    requireBlock(params.counter!, "counter");
    return ops.aesCtr(key.material, params.counter!, params.length!, data);
  };
  return bare<Algorithm>({
    ...keyManagement("AES-CTR", "CTR", CIPHER_USAGES, ops),
    params: bare({ ...keyParams(readers), encrypt: readers.aesCtr, decrypt: readers.aesCtr }),
    encrypt: transform,
    decrypt: transform,
  });
}

function aesCbc(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement("AES-CBC", "CBC", CIPHER_USAGES, ops),
    params: bare({ ...keyParams(readers), encrypt: readers.aesCbc, decrypt: readers.aesCbc }),
    encrypt: (params, key, data) => {
      requireBlock(params.iv!, "iv");
      return ops.aesCbcEncrypt(key.material, params.iv!, data);
    },
    decrypt: (params, key, data) => {
      requireBlock(params.iv!, "iv");
      return ops.aesCbcDecrypt(key.material, params.iv!, data);
    },
  });
}

function aesGcm(ops: NativeOps, readers: ParamReaders): Algorithm {
  const additional = (params: Params) => params.additionalData ?? new Uint8ArrayConstructor(0);
  const tagBits = (params: Params) => params.tagLength ?? DEFAULT_TAG_BITS;
  return bare<Algorithm>({
    ...keyManagement("AES-GCM", "GCM", CIPHER_USAGES, ops),
    params: bare({ ...keyParams(readers), encrypt: readers.aesGcm, decrypt: readers.aesGcm }),
    encrypt: (params, key, data) =>
      ops.aesGcmEncrypt(key.material, params.iv!, additional(params), tagBits(params), data),
    decrypt: (params, key, data) =>
      ops.aesGcmDecrypt(key.material, params.iv!, additional(params), tagBits(params), data),
  });
}

function aesKw(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement("AES-KW", "KW", WRAP_USAGES, ops),
    params: bare(keyParams(readers)),
    wrapKey: (key, data) => ops.aesWrap(key.material, data),
    unwrapKey: (key, data) => ops.aesUnwrap(key.material, data),
  });
}

function keyParams(readers: ParamReaders) {
  return { generateKey: readers.aesKey, getKeyLength: readers.aesKey };
}

function requireBlock(bytes: Bytes, what: string): void {
  if (lengthOf(bytes) !== BLOCK_BYTES) {
    throw domException("OperationError", `${what} must have ${BLOCK_BYTES} bytes`);
  }
}

function isKeyLength(bits: number): boolean {
  return bits === 128 || bits === 192 || bits === 256;
}

function requireKeyLength(bits: number): void {
  if (!isKeyLength(bits)) {
    throw domException("OperationError", "an AES key has 128, 192 or 256 bits");
  }
}

/** What all AES algorithms have in common: everything about their keys. */
function keyManagement(name: string, mode: string, allowed: Usages, ops: NativeOps) {
  return {
    name,
    generateKey: (params: Params, request: KeyRequest) => {
      requireUsagesWithin(request.usages, allowed);
      requireKeyLength(params.length!);
      return aesKey(name, ops.random(params.length! / 8), request);
    },
    importKey: (source: KeySource, _params: Params, request: KeyRequest) => {
      requireUsagesWithin(request.usages, allowed);
      return aesKey(name, importedMaterial(source, mode, request), request);
    },
    exportKey: (format: string, key: KeySlots): Bytes | Jwk => {
      switch (format) {
        case "raw":
          return key.material;
        case "jwk":
          return exportedJwk(key, {
            kty: "oct",
            k: jwkText(key.material),
            alg: `A${key.algorithm.length}${mode}`,
          });
        default:
          throw domException("NotSupportedError", `AES keys have no ${format} format`);
      }
    },
    getKeyLength: (params: Params) => {
      requireKeyLength(params.length!);
      return params.length!;
    },
  };
}

function importedMaterial(source: KeySource, mode: string, request: KeyRequest): Bytes {
  const { format } = source;
  if (format !== "raw" && format !== "jwk") {
    throw domException("NotSupportedError", `AES keys have no ${format} format`);
  }
  if (format === "jwk") {
    checkJwk(source.jwk, "oct", "enc", request);
  }
  const material = format === "jwk" ? jwkBytes(source.jwk, "k") : source.bytes;
  const bits = lengthOf(material) * 8;
  if (!isKeyLength(bits)) {
    throw domException("DataError", "an AES key has 128, 192 or 256 bits");
  }
  if (format === "jwk") {
    checkJwkAlg(source.jwk, `A${bits}${mode}`);
  }
  return material;
}

function aesKey(name: string, material: Bytes, request: KeyRequest): CryptoKey {
  const algorithm = bare({ name, length: lengthOf(material) * 8 });
  return makeKey(bare({ type: "secret" as const, algorithm, material, ...request }));
}
