import type { Curve25519Name, NativeOps } from "../native-ops.ts";
import { type Bytes, lengthOf } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { bare } from "../realm/primordials.ts";
import type { Algorithm, KeyRequest, KeySource, Params } from "./algorithm.ts";
import { makeKeyPair, type PairUsages } from "./asymmetric-keys.ts";
import { type CryptoKey, type KeySlots, makeKey } from "./crypto-key.ts";
import { derivedBits, requirePeer } from "./ec.ts";
import { checkJwk, exportedJwk, type Jwk, jwkBytes, jwkText } from "./jwk.ts";
import { requireUsagesWithin, usagesOf } from "./key-usages.ts";
import { type ParamReaders, requireType } from "./read-params.ts";

interface Kind {
  readonly name: Curve25519Name;
  readonly usages: PairUsages;
  readonly use: "sig" | "enc";
}

const ED25519: Kind = {
  name: "Ed25519",
  usages: { public: usagesOf("verify"), private: usagesOf("sign") },
  use: "sig",
};
const X25519: Kind = {
  name: "X25519",
  usages: { public: 0, private: usagesOf("deriveKey", "deriveBits") },
  use: "enc",
};

const KEY_BYTES = 32;

export function createCurve25519(ops: NativeOps, readers: ParamReaders): Algorithm[] {
  return [ed25519(ops), x25519(ops, readers)];
}

function ed25519(ops: NativeOps): Algorithm {
  return bare<Algorithm>({
    ...keyManagement(ED25519, ops),
    sign: (_params, key, data) => {
      requireType(key.type, "private");
      return ops.ed25519Sign(key.material, data);
    },
    verify: (_params, key, signature, data) => {
      requireType(key.type, "public");
      return ops.ed25519Verify(key.material, signature, data);
    },
  });
}

function x25519(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement(X25519, ops),
    params: bare({ deriveBits: readers.publicKey }),
    deriveBits: (params, key, length) => {
      requirePeer(key, params.public!);
      return derivedBits(ops.x25519Agree(key.material, params.public!.material), length);
    },
  });
}

function keyManagement(kind: Kind, ops: NativeOps) {
  const { name } = kind;
  return {
    name,
    generateKey: (_params: Params, request: KeyRequest) => {
      requireUsagesWithin(request.usages, kind.usages.public | kind.usages.private);
      const pair = { ...ops.curve25519Generate(name), keepsPublic: true };
      return makeKeyPair(bare({ name }), pair, request, kind.usages);
    },
    importKey: (source: KeySource, _params: Params, request: KeyRequest) =>
      importKey(kind, source, request, ops),
    exportKey: (format: string, key: KeySlots): Bytes | Jwk => {
      switch (format) {
        case "raw":
          requireType(key.type, "public");
          return key.material;
        case "spki":
          requireType(key.type, "public");
          return ops.curve25519PublicToSpki(name, key.material);
        case "pkcs8":
          requireType(key.type, "private");
          return ops.curve25519PrivateToPkcs8(name, key.material);
        default:
          return toJwk(kind, key);
      }
    },
  };
}

function importKey(kind: Kind, source: KeySource, request: KeyRequest, ops: NativeOps): CryptoKey {
  switch (source.format) {
    case "raw":
      requireUsagesWithin(request.usages, kind.usages.public);
      return publicKey(kind, source.bytes, request);
    case "spki":
      requireUsagesWithin(request.usages, kind.usages.public);
      return publicKey(kind, ops.curve25519PublicFromSpki(kind.name, source.bytes), request);
    case "pkcs8":
      requireUsagesWithin(request.usages, kind.usages.private);
      return privateKey(kind, ops.curve25519PrivateFromPkcs8(kind.name, source.bytes), request, ops);
    default:
      return fromJwk(kind, source.jwk, request, ops);
  }
}

function fromJwk(kind: Kind, jwk: Jwk, request: KeyRequest, ops: NativeOps): CryptoKey {
  requireUsagesWithin(request.usages, jwk.d === undefined ? kind.usages.public : kind.usages.private);
  checkJwk(jwk, "OKP", kind.use, request);
  if (jwk.crv !== kind.name) {
    throw domException("DataError", `JWK "crv" must be ${kind.name}`);
  }
  if (kind === ED25519 && jwk.alg !== undefined && jwk.alg !== "EdDSA" && jwk.alg !== "Ed25519") {
    throw domException("DataError", 'JWK "alg" must be EdDSA or Ed25519');
  }
  const publicBytes = jwkBytes(jwk, "x");
  if (jwk.d === undefined) {
    return publicKey(kind, publicBytes, request);
  }
  return privateKey(kind, jwkBytes(jwk, "d"), request, ops, publicBytes);
}

function publicKey(kind: Kind, material: Bytes, request: KeyRequest): CryptoKey {
  requireLength(material);
  const algorithm = bare({ name: kind.name });
  return makeKey(bare({ type: "public" as const, algorithm, material, ...request }));
}

/** `claimed` is the public half that came with the private one, which it must be. */
function privateKey(
  kind: Kind,
  material: Bytes,
  request: KeyRequest,
  ops: NativeOps,
  claimed?: Bytes,
): CryptoKey {
  requireLength(material);
  const publicMaterial = ops.curve25519PublicFromPrivate(kind.name, material);
  if (claimed !== undefined && !isSame(claimed, publicMaterial)) {
    throw domException("DataError", "the public key does not belong to the private one");
  }
  const algorithm = bare({ name: kind.name });
  return makeKey(bare({ type: "private" as const, algorithm, material, publicMaterial, ...request }));
}

function requireLength(material: Bytes): void {
  if (lengthOf(material) !== KEY_BYTES) {
    throw domException("DataError", `the key must have ${KEY_BYTES} bytes`);
  }
}

/** Public keys only: it stops at the first difference. */
function isSame(one: Bytes, other: Bytes): boolean {
  if (lengthOf(one) !== lengthOf(other)) {
    return false;
  }
  for (let index = 0; index < lengthOf(one); index += 1) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}

function toJwk(kind: Kind, key: KeySlots): Jwk {
  const isPrivate = key.type === "private";
  const jwk: Jwk = bare({
    kty: "OKP",
    crv: kind.name,
    x: jwkText(isPrivate ? key.publicMaterial! : key.material),
  });
  if (kind === ED25519) {
    jwk.alg = "Ed25519";
  }
  if (isPrivate) {
    jwk.d = jwkText(key.material);
  }
  return exportedJwk(key, jwk);
}
