import { isSame, message, nameOfFailure, subtle } from "./bytes.ts";

export async function hmac(): Promise<boolean> {
  const key = await subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, true, ["sign", "verify"]);
  const tag = await subtle.sign("HMAC", key, message);
  const raw = await subtle.exportKey("raw", key);
  const algorithm: HmacImportParams = { name: "HMAC", hash: { name: "SHA-256" } };
  const imported = await subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  const { hash, length } = key.algorithm as HmacKeyAlgorithm;
  const refusal = await nameOfFailure(subtle.exportKey("raw", imported));
  return (
    hash.name === "SHA-256" &&
    length === 512 &&
    refusal === "InvalidAccessError" &&
    subtle.verify("HMAC", imported, tag, message)
  );
}

export function aesCtr(): Promise<boolean> {
  return encryptAndDecrypt({ name: "AES-CTR", counter: new Uint8Array(16), length: 64 });
}

export function aesCbc(): Promise<boolean> {
  const params: AesCbcParams = { name: "AES-CBC", iv: crypto.getRandomValues(new Uint8Array(16)) };
  return encryptAndDecrypt(params);
}

export async function aesGcm(): Promise<boolean> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode("header");
  const key = await subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const sealed = await subtle.encrypt({ name: "AES-GCM", iv, additionalData, tagLength: 128 }, key, message);
  const forged = subtle.decrypt({ name: "AES-GCM", iv }, key, sealed);
  return (
    (await nameOfFailure(forged)) === "OperationError" &&
    isSame(await subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, sealed), message)
  );
}

export async function aesKw(): Promise<boolean> {
  const wrapping = await subtle.generateKey({ name: "AES-KW", length: 192 }, true, ["wrapKey", "unwrapKey"]);
  const key = await subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]);
  const wrapped = await subtle.wrapKey("raw", key, wrapping, "AES-KW");
  const unwrapped = await subtle.unwrapKey("raw", wrapped, wrapping, "AES-KW", "AES-GCM", true, ["encrypt"]);
  const jwk = await subtle.exportKey("jwk", unwrapped);
  const again = await subtle.importKey("jwk", jwk, "AES-GCM", true, ["encrypt"]);
  return (
    jwk.alg === "A128GCM" && isSame(await subtle.exportKey("raw", again), await subtle.exportKey("raw", key))
  );
}

async function encryptAndDecrypt(params: AesCtrParams | AesCbcParams): Promise<boolean> {
  const raw = crypto.getRandomValues(new Uint8Array(32));
  const usages: KeyUsage[] = ["encrypt", "decrypt"];
  const key: CryptoKey = await subtle.importKey("raw", raw, params.name, true, usages);
  const { length } = key.algorithm as AesKeyAlgorithm;
  const sealed = await subtle.encrypt(params, key, message);
  return length === 256 && isSame(await subtle.decrypt(params, key, sealed), message);
}
