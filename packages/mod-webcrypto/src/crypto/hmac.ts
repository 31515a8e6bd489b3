import type { HashName, NativeOps } from "../native-ops.ts";
import { type Bytes, lengthOf, truncateToBits } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { bare } from "../realm/primordials.ts";
import { bytesForBits, typeError } from "../web-idl/convert.ts";
import type { Algorithm, KeyRequest, KeySource, Params } from "./algorithm.ts";
import { type CryptoKey, type KeySlots, makeKey } from "./crypto-key.ts";
import { blockBits, jwkSuffix } from "./hashes.ts";
import { checkJwk, checkJwkAlg, exportedJwk, type Jwk, jwkBytes, jwkText } from "./jwk.ts";
import { requireUsagesWithin, usagesOf } from "./key-usages.ts";
import { MAX_KEY_BITS } from "./limits.ts";
import type { ParamReaders } from "./read-params.ts";

const USAGES = usagesOf("sign", "verify");

export function createHmac(ops: NativeOps, readers: ParamReaders): Algorithm {
  const hashOf = (key: KeySlots) => key.algorithm.hash as HashName;
  return bare<Algorithm>({
    name: "HMAC",
    params: bare({ generateKey: readers.hmacKey, importKey: readers.hmacKey, getKeyLength: readers.hmacKey }),
    sign: (_params, key, data) => ops.hmacSign(hashOf(key), key.material, data),
    verify: (_params, key, tag, data) => ops.hmacVerify(hashOf(key), key.material, tag, data),
    generateKey: (params, request) => {
      requireUsagesWithin(request.usages, USAGES);
      const length = params.length ?? blockBits(params.hash!);
      if (length === 0 || length > MAX_KEY_BITS) {
        throw domException("OperationError", `an HMAC key has 1 to ${MAX_KEY_BITS} bits`);
      }
      const random = ops.random(bytesForBits(length));
      return hmacKey(truncateToBits(random, length), params, length, request);
    },
    importKey: (source, params, request) => {
      requireUsagesWithin(request.usages, USAGES);
      const material = source.format === "jwk" ? fromJwk(source.jwk, params, request) : fromRaw(source);
      const length = importedLength(material, params);
      return hmacKey(truncateToBits(material, length), params, length, request);
    },
    exportKey: (format, key) => {
      switch (format) {
        case "raw":
          return key.material;
        case "jwk":
          return exportedJwk(key, {
            kty: "oct",
            k: jwkText(key.material),
            alg: `HS${jwkSuffix(key.algorithm.hash!)}`,
          });
        default:
          throw domException("NotSupportedError", `HMAC keys have no ${format} format`);
      }
    },
    getKeyLength: (params) => {
      if (params.length === 0) {
        // The standard's own choice: a TypeError, where importing says DataError.
        throw typeError("an HMAC key has at least one bit");
      }
      return params.length ?? blockBits(params.hash!);
    },
  });
}

function hmacKey(material: Bytes, params: Params, length: number, request: KeyRequest): CryptoKey {
  const algorithm = bare({ name: "HMAC", hash: params.hash!, length });
  return makeKey(bare({ type: "secret" as const, algorithm, material, ...request }));
}

function fromRaw(source: KeySource): Bytes {
  if (source.format !== "raw") {
    throw domException("NotSupportedError", `HMAC keys have no ${source.format} format`);
  }
  return source.bytes;
}

function fromJwk(jwk: Jwk, params: Params, request: KeyRequest): Bytes {
  checkJwk(jwk, "oct", "sig", request);
  const material = jwkBytes(jwk, "k");
  checkJwkAlg(jwk, `HS${jwkSuffix(params.hash!)}`);
  return material;
}

/** The length asked for, which may leave out bits of the last byte only. */
function importedLength(material: Bytes, params: Params): number {
  const available = lengthOf(material) * 8;
  const length = params.length ?? available;
  if (available === 0 || available > MAX_KEY_BITS || length > available || length <= available - 8) {
    throw domException("DataError", "the HMAC key's length is zero, too large, or not the one given");
  }
  return length;
}
