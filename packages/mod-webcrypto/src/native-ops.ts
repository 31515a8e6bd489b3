/**
 * The wall to the native crate: bytes in, bytes out, error names out.
 *
 * The other side of this list is `dispatch.rs` of the crate codex-js-crypto.
 */
import { asciiBytes, type Bytes, bytesNumber, numberBytes } from "./realm/bytes.ts";
import { type DomExceptionName, domException } from "./realm/dom-exception.ts";

/**
 * What the host has to provide, as one function of the realm that this layer runs in.
 *
 * @param operation a name of the crate's dispatch table, `aes.gcmEncrypt` for one
 * @param fields arrays of this realm; the callee reads them before it returns and keeps none
 * @returns the results as fresh `Uint8Array`s of this realm, each with an `ArrayBuffer` of its own; or the
 * name of an error: `DataError`, `OperationError`, `NotSupportedError` or `Interrupted`. It never throws.
 */
export type NativeCall = (operation: string, fields: Bytes[]) => Bytes[] | string;

export type HashName = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";
export type CurveName = "P-256" | "P-384" | "P-521";
export type Curve25519Name = "Ed25519" | "X25519";

/** A private key and its public half. Elliptic: scalar and uncompressed point; RSA: PKCS #1 structures. */
export interface NativeKeyPair {
  readonly privateKey: Bytes;
  readonly publicKey: Bytes;
}

export interface RsaDetails {
  readonly modulusBits: number;
  /** Big-endian, without leading zeros. */
  readonly exponent: Bytes;
}

export type NativeOps = ReturnType<typeof createNativeOps>;

/** Every native operation with its types. Each throws the DOMException that the crate named. */
export function createNativeOps(call: NativeCall) {
  const run = (operation: string, fields: Bytes[]): Bytes[] => {
    const result = call(operation, fields);
    if (typeof result === "string") {
      throw nativeError(operation, result);
    }
    return result;
  };
  const one = (operation: string, fields: Bytes[]): Bytes => run(operation, fields)[0]!;
  const truth = (operation: string, fields: Bytes[]): boolean => one(operation, fields)[0] === 1;
  const pair = (operation: string, fields: Bytes[]): NativeKeyPair => {
    const result = run(operation, fields);
    return { privateKey: result[0]!, publicKey: result[1]! };
  };
  const details = (operation: string, key: Bytes): RsaDetails => {
    const result = run(operation, [key]);
    return { modulusBits: bytesNumber(result[0]!), exponent: result[1]! };
  };
  const text = asciiBytes;
  const number = numberBytes;

  return {
    /** Bytes from the operating system's generator. */
    random: (lengthBytes: number) => one("random", [number(lengthBytes)]),
    digest: (hash: HashName, data: Bytes) => one("digest", [text(hash), data]),

    hmacSign: (hash: HashName, key: Bytes, data: Bytes) => one("hmac.sign", [text(hash), key, data]),
    hmacVerify: (hash: HashName, key: Bytes, tag: Bytes, data: Bytes) =>
      truth("hmac.verify", [text(hash), key, tag, data]),

    /** Both directions; the low `counterBits` bits of the 16 bytes count. */
    aesCtr: (key: Bytes, counter: Bytes, counterBits: number, data: Bytes) =>
      one("aes.ctr", [key, counter, number(counterBits), data]),
    aesCbcEncrypt: (key: Bytes, iv: Bytes, data: Bytes) => one("aes.cbcEncrypt", [key, iv, data]),
    aesCbcDecrypt: (key: Bytes, iv: Bytes, data: Bytes) => one("aes.cbcDecrypt", [key, iv, data]),
    /** Ciphertext and tag, one behind the other. */
    aesGcmEncrypt: (key: Bytes, iv: Bytes, additionalData: Bytes, tagBits: number, data: Bytes) =>
      one("aes.gcmEncrypt", [key, iv, additionalData, number(tagBits), data]),
    aesGcmDecrypt: (key: Bytes, iv: Bytes, additionalData: Bytes, tagBits: number, data: Bytes) =>
      one("aes.gcmDecrypt", [key, iv, additionalData, number(tagBits), data]),
    aesWrap: (key: Bytes, data: Bytes) => one("aes.wrap", [key, data]),
    aesUnwrap: (key: Bytes, data: Bytes) => one("aes.unwrap", [key, data]),

    rsaGenerate: (modulusBits: number, exponent: Bytes) =>
      pair("rsa.generate", [number(modulusBits), exponent]),
    rsaPublicFromSpki: (spki: Bytes) => one("rsa.publicFromSpki", [spki]),
    rsaPrivateFromPkcs8: (pkcs8: Bytes) => one("rsa.privateFromPkcs8", [pkcs8]),
    rsaPublicToSpki: (key: Bytes) => one("rsa.publicToSpki", [key]),
    rsaPrivateToPkcs8: (key: Bytes) => one("rsa.privateToPkcs8", [key]),
    /** n and e, big-endian. */
    rsaPublicFromParts: (parts: Bytes[]) => one("rsa.publicFromParts", parts),
    /** n, e, d, p, q, dp, dq, qi, big-endian. */
    rsaPrivateFromParts: (parts: Bytes[]) => one("rsa.privateFromParts", parts),
    rsaPublicParts: (key: Bytes) => run("rsa.publicParts", [key]),
    rsaPrivateParts: (key: Bytes) => run("rsa.privateParts", [key]),
    rsaPublicDetails: (key: Bytes) => details("rsa.publicDetails", key),
    rsaPrivateDetails: (key: Bytes) => details("rsa.privateDetails", key),
    rsaPkcs1Sign: (hash: HashName, key: Bytes, data: Bytes) => one("rsa.pkcs1Sign", [text(hash), key, data]),
    rsaPkcs1Verify: (hash: HashName, key: Bytes, signature: Bytes, data: Bytes) =>
      truth("rsa.pkcs1Verify", [text(hash), key, signature, data]),
    rsaPssSign: (hash: HashName, key: Bytes, saltBytes: number, data: Bytes) =>
      one("rsa.pssSign", [text(hash), key, number(saltBytes), data]),
    rsaPssVerify: (hash: HashName, key: Bytes, saltBytes: number, signature: Bytes, data: Bytes) =>
      truth("rsa.pssVerify", [text(hash), key, number(saltBytes), signature, data]),
    rsaOaepEncrypt: (hash: HashName, key: Bytes, label: Bytes, data: Bytes) =>
      one("rsa.oaepEncrypt", [text(hash), key, label, data]),
    rsaOaepDecrypt: (hash: HashName, key: Bytes, label: Bytes, data: Bytes) =>
      one("rsa.oaepDecrypt", [text(hash), key, label, data]),

    ecGenerate: (curve: CurveName) => pair("ec.generate", [text(curve)]),
    /** From any encoding of a point to the uncompressed one. */
    ecPublicFromRaw: (curve: CurveName, raw: Bytes) => one("ec.publicFromRaw", [text(curve), raw]),
    ecPublicFromSpki: (curve: CurveName, spki: Bytes) => one("ec.publicFromSpki", [text(curve), spki]),
    ecPrivateFromPkcs8: (curve: CurveName, pkcs8: Bytes) => pair("ec.privateFromPkcs8", [text(curve), pkcs8]),
    ecPublicToSpki: (curve: CurveName, point: Bytes) => one("ec.publicToSpki", [text(curve), point]),
    ecPrivateToPkcs8: (curve: CurveName, scalar: Bytes) => one("ec.privateToPkcs8", [text(curve), scalar]),
    ecPublicFromParts: (curve: CurveName, x: Bytes, y: Bytes) =>
      one("ec.publicFromParts", [text(curve), x, y]),
    ecPrivateFromParts: (curve: CurveName, x: Bytes, y: Bytes, d: Bytes) =>
      pair("ec.privateFromParts", [text(curve), x, y, d]),
    /** r and s, each of the field's length. */
    ecSign: (curve: CurveName, hash: HashName, scalar: Bytes, data: Bytes) =>
      one("ec.sign", [text(curve), text(hash), scalar, data]),
    ecVerify: (curve: CurveName, hash: HashName, point: Bytes, signature: Bytes, data: Bytes) =>
      truth("ec.verify", [text(curve), text(hash), point, signature, data]),
    ecAgree: (curve: CurveName, scalar: Bytes, point: Bytes) => one("ec.agree", [text(curve), scalar, point]),

    curve25519Generate: (kind: Curve25519Name) => pair("curve25519.generate", [text(kind)]),
    curve25519PublicFromPrivate: (kind: Curve25519Name, key: Bytes) =>
      one("curve25519.publicFromPrivate", [text(kind), key]),
    curve25519PublicFromSpki: (kind: Curve25519Name, spki: Bytes) =>
      one("curve25519.publicFromSpki", [text(kind), spki]),
    curve25519PrivateFromPkcs8: (kind: Curve25519Name, pkcs8: Bytes) =>
      one("curve25519.privateFromPkcs8", [text(kind), pkcs8]),
    curve25519PublicToSpki: (kind: Curve25519Name, key: Bytes) =>
      one("curve25519.publicToSpki", [text(kind), key]),
    curve25519PrivateToPkcs8: (kind: Curve25519Name, key: Bytes) =>
      one("curve25519.privateToPkcs8", [text(kind), key]),
    ed25519Sign: (key: Bytes, data: Bytes) => one("curve25519.sign", [text("Ed25519"), key, data]),
    ed25519Verify: (key: Bytes, signature: Bytes, data: Bytes) =>
      truth("curve25519.verify", [text("Ed25519"), key, signature, data]),
    x25519Agree: (privateKey: Bytes, publicKey: Bytes) =>
      one("curve25519.agree", [text("X25519"), privateKey, publicKey]),

    hkdf: (hash: HashName, secret: Bytes, salt: Bytes, info: Bytes, lengthBytes: number) =>
      one("kdf.hkdf", [text(hash), secret, salt, info, number(lengthBytes)]),
    pbkdf2: (hash: HashName, password: Bytes, salt: Bytes, iterations: number, lengthBytes: number) =>
      one("kdf.pbkdf2", [text(hash), password, salt, number(iterations), number(lengthBytes)]),
  };
}

function nativeError(operation: string, name: string): unknown {
  if (name === "Interrupted") {
    return domException("OperationError", `${operation} was interrupted`);
  }
  return domException(name as DomExceptionName, `${operation} failed`);
}
