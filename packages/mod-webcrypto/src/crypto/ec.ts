import type { CurveName, HashName, NativeKeyPair, NativeOps } from "../native-ops.ts";
import { type Bytes, lengthOf, slice, truncateToBits } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { bare } from "../realm/primordials.ts";
import type { Algorithm, KeyRequest, KeySource, Params } from "./algorithm.ts";
import { makeKeyPair, type PairUsages } from "./asymmetric-keys.ts";
import { type CryptoKey, type KeySlots, makeKey } from "./crypto-key.ts";
import { checkJwk, checkJwkAlg, exportedJwk, type Jwk, jwkBytes, jwkText } from "./jwk.ts";
import { requireUsagesWithin, usagesOf } from "./key-usages.ts";
import { type ParamReaders, requireType } from "./read-params.ts";

interface Kind {
  readonly name: string;
  readonly usages: PairUsages;
  readonly use: "sig" | "enc";
}

const ECDSA: Kind = {
  name: "ECDSA",
  usages: { public: usagesOf("verify"), private: usagesOf("sign") },
  use: "sig",
};
const ECDH: Kind = {
  name: "ECDH",
  usages: { public: 0, private: usagesOf("deriveKey", "deriveBits") },
  use: "enc",
};

/** A JWK's `alg` for ECDSA on each curve. */
const JWK_ALGORITHMS: { readonly [curve: string]: string } = bare({
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
});

export function createEc(ops: NativeOps, readers: ParamReaders): Algorithm[] {
  return [ecdsa(ops, readers), ecdh(ops, readers)];
}

function ecdsa(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement(ECDSA, ops),
    params: bare({ ...keyParams(readers), sign: readers.ecdsa, verify: readers.ecdsa }),
    sign: (params, key, data) => {
      requireType(key.type, "private");
      return ops.ecSign(curveOf(key), params.hash as HashName, key.material, data);
    },
    verify: (params, key, signature, data) => {
      requireType(key.type, "public");
      return ops.ecVerify(curveOf(key), params.hash as HashName, key.material, signature, data);
    },
  });
}

function ecdh(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement(ECDH, ops),
    params: bare({ ...keyParams(readers), deriveBits: readers.publicKey }),
    deriveBits: (params, key, length) => {
      const other = params.public!;
      requirePeer(key, other);
      if (other.algorithm.namedCurve !== key.algorithm.namedCurve) {
        throw domException("InvalidAccessError", "the keys are on different curves");
      }
      return derivedBits(ops.ecAgree(curveOf(key), key.material, other.material), length);
    },
  });
}

/** What key agreement asks of its two keys. */
export function requirePeer(key: KeySlots, other: KeySlots): void {
  requireType(key.type, "private");
  requireType(other.type, "public");
  if (other.algorithm.name !== key.algorithm.name) {
    throw domException("InvalidAccessError", "the keys are of different algorithms");
  }
}

/** The first bits of a shared secret; all of them for null. */
export function derivedBits(secret: Bytes, length: number | null): Bytes {
  if (length === null) {
    return secret;
  }
  if (length > lengthOf(secret) * 8) {
    throw domException("OperationError", "the shared secret has fewer bits");
  }
  return truncateToBits(secret, length);
}

function curveOf(key: KeySlots): CurveName {
  return key.algorithm.namedCurve as CurveName;
}

function keyParams(readers: ParamReaders) {
  return { generateKey: readers.ecKey, importKey: readers.ecKey };
}

function requireCurve(params: Params): CurveName {
  const curve = params.namedCurve!;
  if (JWK_ALGORITHMS[curve] === undefined) {
    throw domException("NotSupportedError", `no curve ${curve}`);
  }
  return curve as CurveName;
}

function keyManagement(kind: Kind, ops: NativeOps) {
  return {
    name: kind.name,
    generateKey: (params: Params, request: KeyRequest) => {
      requireUsagesWithin(request.usages, kind.usages.public | kind.usages.private);
      const curve = requireCurve(params);
      const algorithm = bare({ name: kind.name, namedCurve: curve });
      return makeKeyPair(algorithm, { ...ops.ecGenerate(curve), keepsPublic: true }, request, kind.usages);
    },
    importKey: (source: KeySource, params: Params, request: KeyRequest) =>
      importKey(kind, source, params, request, ops),
    exportKey: (format: string, key: KeySlots): Bytes | Jwk => {
      switch (format) {
        case "raw":
          requireType(key.type, "public");
          return key.material;
        case "spki":
          requireType(key.type, "public");
          return ops.ecPublicToSpki(curveOf(key), key.material);
        case "pkcs8":
          requireType(key.type, "private");
          return ops.ecPrivateToPkcs8(curveOf(key), key.material);
        default:
          return toJwk(key);
      }
    },
  };
}

function importKey(
  kind: Kind,
  source: KeySource,
  params: Params,
  request: KeyRequest,
  ops: NativeOps,
): CryptoKey {
  switch (source.format) {
    case "raw": {
      const curve = requireCurve(params);
      requireUsagesWithin(request.usages, kind.usages.public);
      return publicKey(kind, curve, ops.ecPublicFromRaw(curve, source.bytes), request);
    }
    case "spki": {
      requireUsagesWithin(request.usages, kind.usages.public);
      const curve = requireCurve(params);
      return publicKey(kind, curve, ops.ecPublicFromSpki(curve, source.bytes), request);
    }
    case "pkcs8": {
      requireUsagesWithin(request.usages, kind.usages.private);
      const curve = requireCurve(params);
      return privateKey(kind, curve, ops.ecPrivateFromPkcs8(curve, source.bytes), request);
    }
    default:
      return fromJwk(kind, source.jwk, params, request, ops);
  }
}

function fromJwk(kind: Kind, jwk: Jwk, params: Params, request: KeyRequest, ops: NativeOps): CryptoKey {
  requireUsagesWithin(request.usages, jwk.d === undefined ? kind.usages.public : kind.usages.private);
  checkJwk(jwk, "EC", kind.use, request);
  const curve = requireCurve(params);
  if (jwk.crv !== curve) {
    throw domException("DataError", `JWK "crv" must be ${curve}`);
  }
  if (kind.name === "ECDSA") {
    checkJwkAlg(jwk, JWK_ALGORITHMS[curve]!);
  }
  const x = jwkBytes(jwk, "x");
  const y = jwkBytes(jwk, "y");
  if (jwk.d === undefined) {
    return publicKey(kind, curve, ops.ecPublicFromParts(curve, x, y), request);
  }
  return privateKey(kind, curve, ops.ecPrivateFromParts(curve, x, y, jwkBytes(jwk, "d")), request);
}

function publicKey(kind: Kind, namedCurve: CurveName, material: Bytes, request: KeyRequest): CryptoKey {
  const algorithm = bare({ name: kind.name, namedCurve });
  return makeKey(bare({ type: "public" as const, algorithm, material, ...request }));
}

function privateKey(kind: Kind, namedCurve: CurveName, pair: NativeKeyPair, request: KeyRequest): CryptoKey {
  const algorithm = bare({ name: kind.name, namedCurve });
  return makeKey(
    bare({
      type: "private" as const,
      algorithm,
      material: pair.privateKey,
      publicMaterial: pair.publicKey,
      ...request,
    }),
  );
}

function toJwk(key: KeySlots): Jwk {
  const point = key.type === "public" ? key.material : key.publicMaterial!;
  const half = (lengthOf(point) - 1) / 2;
  const jwk: Jwk = bare({
    kty: "EC",
    crv: curveOf(key),
    x: jwkText(slice(point, 1, 1 + half)),
    y: jwkText(slice(point, 1 + half, 1 + 2 * half)),
  });
  if (key.type === "private") {
    jwk.d = jwkText(key.material);
  }
  return exportedJwk(key, jwk);
}
