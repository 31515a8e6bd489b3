import { isSame, message, subtle } from "./bytes.ts";

const publicExponent = new Uint8Array([1, 0, 1]);
const modulusLength = 2048;

export async function rsaSsa(): Promise<boolean> {
  const params: RsaHashedKeyGenParams = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength,
    publicExponent,
    hash: "SHA-256",
  };
  const { privateKey, publicKey } = await subtle.generateKey(params, true, ["sign", "verify"]);
  const signature = await subtle.sign("RSASSA-PKCS1-v1_5", privateKey, message);
  const spki = await subtle.exportKey("spki", publicKey);
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const imported = await subtle.importKey("spki", spki, algorithm, true, ["verify"]);
  const details = imported.algorithm as RsaHashedKeyAlgorithm;
  return (
    details.modulusLength === modulusLength &&
    isSame(details.publicExponent, publicExponent) &&
    subtle.verify(algorithm, imported, signature, message)
  );
}

export async function rsaPss(): Promise<boolean> {
  const pair: CryptoKeyPair = await subtle.generateKey(
    { name: "RSA-PSS", modulusLength, publicExponent, hash: "SHA-384" },
    true,
    ["sign", "verify"],
  );
  const pkcs8 = await subtle.exportKey("pkcs8", pair.privateKey);
  const algorithm: RsaHashedImportParams = { name: "RSA-PSS", hash: "SHA-384" };
  const key = await subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  const params: RsaPssParams = { name: "RSA-PSS", saltLength: 48 };
  const signature = await subtle.sign(params, key, message);
  return subtle.verify({ name: "RSA-PSS", saltLength: 48 }, pair.publicKey, signature, message);
}

export async function rsaOaep(): Promise<boolean> {
  const { privateKey, publicKey } = await subtle.generateKey(
    { name: "RSA-OAEP", modulusLength, publicExponent, hash: "SHA-512" },
    false,
    ["encrypt", "decrypt"],
  );
  const params: RsaOaepParams = { name: "RSA-OAEP", label: new Uint8Array([1]) };
  const sealed = await subtle.encrypt(params, publicKey, message);
  return isSame(await subtle.decrypt(params, privateKey, sealed), message);
}
