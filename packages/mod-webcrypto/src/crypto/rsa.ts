import type { HashName, NativeOps, RsaDetails } from "../native-ops.ts";
import type { Bytes } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { append, bare, Uint8ArrayConstructor } from "../realm/primordials.ts";
import type { Algorithm, KeyRequest, KeySource, Params } from "./algorithm.ts";
import { makeKeyPair, type PairUsages } from "./asymmetric-keys.ts";
import { type CryptoKey, type KeySlots, type KeyType, makeKey } from "./crypto-key.ts";
import { jwkSuffix } from "./hashes.ts";
import { checkJwk, checkJwkAlg, exportedJwk, type Jwk, jwkBytes, jwkText } from "./jwk.ts";
import { requireUsagesWithin, usagesOf } from "./key-usages.ts";
import { type ParamReaders, requireType } from "./read-params.ts";

const SIGNATURE_USAGES: PairUsages = { public: usagesOf("verify"), private: usagesOf("sign") };
const CIPHER_USAGES: PairUsages = {
  public: usagesOf("encrypt", "wrapKey"),
  private: usagesOf("decrypt", "unwrapKey"),
};

const PRIVATE_MEMBERS = ["n", "e", "d", "p", "q", "dp", "dq", "qi"] as const;

/** What distinguishes one RSA algorithm's keys from another's. */
interface Kind {
  readonly name: string;
  readonly usages: PairUsages;
  readonly use: "sig" | "enc";
  /** The JWK's `alg` for a hash. */
  readonly alg: (hash: string) => string;
}

const PKCS1: Kind = {
  name: "RSASSA-PKCS1-v1_5",
  usages: SIGNATURE_USAGES,
  use: "sig",
  alg: (hash) => `RS${jwkSuffix(hash)}`,
};
const PSS: Kind = {
  name: "RSA-PSS",
  usages: SIGNATURE_USAGES,
  use: "sig",
  alg: (hash) => `PS${jwkSuffix(hash)}`,
};
const OAEP: Kind = {
  name: "RSA-OAEP",
  usages: CIPHER_USAGES,
  use: "enc",
  alg: (hash) => (hash === "SHA-1" ? "RSA-OAEP" : `RSA-OAEP-${jwkSuffix(hash)}`),
};

export function createRsa(ops: NativeOps, readers: ParamReaders): Algorithm[] {
  return [rsassaPkcs1(ops, readers), rsaPss(ops, readers), rsaOaep(ops, readers)];
}

function rsassaPkcs1(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement(PKCS1, ops),
    params: bare(keyParams(readers)),
    sign: (_params, key, data) => {
      requireType(key.type, "private");
      return ops.rsaPkcs1Sign(hashOf(key), key.material, data);
    },
    verify: (_params, key, signature, data) => {
      requireType(key.type, "public");
      return ops.rsaPkcs1Verify(hashOf(key), key.material, signature, data);
    },
  });
}

function rsaPss(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement(PSS, ops),
    params: bare({ ...keyParams(readers), sign: readers.rsaPss, verify: readers.rsaPss }),
    sign: (params, key, data) => {
      requireType(key.type, "private");
      return ops.rsaPssSign(hashOf(key), key.material, params.saltLength!, data);
    },
    verify: (params, key, signature, data) => {
      requireType(key.type, "public");
      return ops.rsaPssVerify(hashOf(key), key.material, params.saltLength!, signature, data);
    },
  });
}

function rsaOaep(ops: NativeOps, readers: ParamReaders): Algorithm {
  const label = (params: Params) => params.label ?? new Uint8ArrayConstructor(0);
  return bare<Algorithm>({
    ...keyManagement(OAEP, ops),
    params: bare({ ...keyParams(readers), encrypt: readers.rsaOaep, decrypt: readers.rsaOaep }),
    encrypt: (params, key, data) => {
      requireType(key.type, "public");
      return ops.rsaOaepEncrypt(hashOf(key), key.material, label(params), data);
    },
    decrypt: (params, key, data) => {
      requireType(key.type, "private");
      return ops.rsaOaepDecrypt(hashOf(key), key.material, label(params), data);
    },
  });
}

function hashOf(key: KeySlots): HashName {
  return key.algorithm.hash as HashName;
}

function keyParams(readers: ParamReaders) {
  return { generateKey: readers.rsaKeyGen, importKey: readers.rsaImport };
}

function keyManagement(kind: Kind, ops: NativeOps) {
  return {
    name: kind.name,
    generateKey: (params: Params, request: KeyRequest) => {
      requireUsagesWithin(request.usages, kind.usages.public | kind.usages.private);
      const pair = ops.rsaGenerate(params.modulusLength!, params.publicExponent!);
      const algorithm = keyAlgorithm(kind, params, {
        modulusBits: params.modulusLength!,
        exponent: params.publicExponent!,
      });
      return makeKeyPair(algorithm, { ...pair, keepsPublic: false }, request, kind.usages);
    },
    importKey: (source: KeySource, params: Params, request: KeyRequest) => {
      const imported = importMaterial(kind, source, params, request, ops);
      const details =
        imported.type === "public"
          ? ops.rsaPublicDetails(imported.material)
          : ops.rsaPrivateDetails(imported.material);
      return rsaKey(kind, imported, details, params, request);
    },
    exportKey: (format: string, key: KeySlots): Bytes | Jwk => {
      switch (format) {
        case "spki":
          requireType(key.type, "public");
          return ops.rsaPublicToSpki(key.material);
        case "pkcs8":
          requireType(key.type, "private");
          return ops.rsaPrivateToPkcs8(key.material);
        case "jwk":
          return toJwk(kind, key, ops);
        default:
          throw domException("NotSupportedError", `RSA keys have no ${format} format`);
      }
    },
  };
}

interface Imported {
  readonly type: KeyType;
  readonly material: Bytes;
}

function importMaterial(
  kind: Kind,
  source: KeySource,
  params: Params,
  request: KeyRequest,
  ops: NativeOps,
): Imported {
  switch (source.format) {
    case "spki":
      requireUsagesWithin(request.usages, kind.usages.public);
      return { type: "public", material: ops.rsaPublicFromSpki(source.bytes) };
    case "pkcs8":
      requireUsagesWithin(request.usages, kind.usages.private);
      return { type: "private", material: ops.rsaPrivateFromPkcs8(source.bytes) };
    case "jwk":
      return fromJwk(kind, source.jwk, params, request, ops);
    default:
      throw domException("NotSupportedError", `RSA keys have no ${source.format} format`);
  }
}

function fromJwk(kind: Kind, jwk: Jwk, params: Params, request: KeyRequest, ops: NativeOps): Imported {
  const type = jwk.d === undefined ? "public" : "private";
  requireUsagesWithin(request.usages, kind.usages[type]);
  checkJwk(jwk, "RSA", kind.use, request);
  checkJwkAlg(jwk, kind.alg(params.hash!));
  if (type === "public") {
    return { type, material: ops.rsaPublicFromParts([jwkBytes(jwk, "n"), jwkBytes(jwk, "e")]) };
  }
  if (jwk.oth === true) {
    throw domException("NotSupportedError", "RSA keys of more than two primes are not supported");
  }
  const parts: Bytes[] = [];
  for (let index = 0; index < PRIVATE_MEMBERS.length; index += 1) {
    append(parts, jwkBytes(jwk, PRIVATE_MEMBERS[index]!));
  }
  return { type, material: ops.rsaPrivateFromParts(parts) };
}

function toJwk(kind: Kind, key: KeySlots, ops: NativeOps): Jwk {
  const parts = key.type === "public" ? ops.rsaPublicParts(key.material) : ops.rsaPrivateParts(key.material);
  const jwk: Jwk = bare({ kty: "RSA", alg: kind.alg(key.algorithm.hash!) });
  for (let index = 0; index < parts.length; index += 1) {
    jwk[PRIVATE_MEMBERS[index]!] = jwkText(parts[index]!);
  }
  return exportedJwk(key, jwk);
}

function rsaKey(
  kind: Kind,
  imported: Imported,
  details: RsaDetails,
  params: Params,
  request: KeyRequest,
): CryptoKey {
  return makeKey(bare({ ...imported, algorithm: keyAlgorithm(kind, params, details), ...request }));
}

function keyAlgorithm(kind: Kind, params: Params, details: RsaDetails) {
  return bare({
    name: kind.name,
    hash: params.hash!,
    modulusLength: details.modulusBits,
    publicExponent: details.exponent,
  });
}
