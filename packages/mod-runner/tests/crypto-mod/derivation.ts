import { isSame, message, subtle } from "./bytes.ts";

const salt = new Uint8Array(16);

export async function hkdf(): Promise<boolean> {
  const secret = await subtle.importKey("raw", message, "HKDF", false, ["deriveBits", "deriveKey"]);
  const params: HkdfParams = { name: "HKDF", hash: "SHA-256", salt, info: new Uint8Array(0) };
  const bits = await subtle.deriveBits(params, secret, 256);
  const derived = { name: "HMAC", hash: "SHA-256", length: 256 };
  const key = await subtle.deriveKey(params, secret, derived, true, ["sign"]);
  return isSame(await subtle.exportKey("raw", key), bits);
}

export async function pbkdf2(): Promise<boolean> {
  const password = await subtle.importKey("raw", message, { name: "PBKDF2" }, false, ["deriveKey"]);
  const params: Pbkdf2Params = { name: "PBKDF2", hash: "SHA-512", salt, iterations: 1000 };
  const key = await subtle.deriveKey(params, password, { name: "AES-CBC", length: 192 }, true, ["encrypt"]);
  return (await subtle.exportKey("raw", key)).byteLength === 24;
}
