import { isSame, message, subtle } from "./bytes.ts";

export async function ecdsa(): Promise<boolean> {
  for (const namedCurve of ["P-256", "P-384", "P-521"]) {
    const { privateKey, publicKey } = await subtle.generateKey({ name: "ECDSA", namedCurve }, true, [
      "sign",
      "verify",
    ]);
    const jwk = await subtle.exportKey("jwk", publicKey);
    const imported = await subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve }, true, ["verify"]);
    const params: EcdsaParams = { name: "ECDSA", hash: "SHA-256" };
    const signature = await subtle.sign(params, privateKey, message);
    if (jwk.crv !== namedCurve || !(await subtle.verify(params, imported, signature, message))) return false;
  }
  return true;
}

export async function ecdh(): Promise<boolean> {
  const params: EcKeyGenParams = { name: "ECDH", namedCurve: "P-256" };
  const [mine, theirs] = await Promise.all([
    subtle.generateKey(params, false, ["deriveBits", "deriveKey"]),
    subtle.generateKey(params, false, ["deriveBits"]),
  ]);
  const raw = await subtle.exportKey("raw", theirs.publicKey);
  const publicKey = await subtle.importKey("raw", raw, { name: "ECDH", namedCurve: "P-256" }, true, []);
  const left = await subtle.deriveBits({ name: "ECDH", public: publicKey }, mine.privateKey, 256);
  const right = await subtle.deriveBits({ name: "ECDH", public: mine.publicKey }, theirs.privateKey, 256);
  const derived = { name: "AES-GCM", length: 256 };
  const agreement: EcdhKeyDeriveParams = { name: "ECDH", public: publicKey };
  const key = await subtle.deriveKey(agreement, mine.privateKey, derived, true, ["encrypt"]);
  return isSame(left, right) && isSame(await subtle.exportKey("raw", key), left);
}

export async function ed25519(): Promise<boolean> {
  const { privateKey, publicKey } = await subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const { d, x } = await subtle.exportKey("jwk", privateKey);
  const signature = await subtle.sign("Ed25519", privateKey, message);
  const raw = await subtle.exportKey("raw", publicKey);
  const imported = await subtle.importKey("raw", raw, { name: "Ed25519" }, true, ["verify"]);
  return (
    d !== undefined && x !== undefined && subtle.verify({ name: "Ed25519" }, imported, signature, message)
  );
}

export async function x25519(): Promise<boolean> {
  const mine = await subtle.generateKey({ name: "X25519" }, false, ["deriveBits"]);
  const theirs = await subtle.generateKey("X25519", false, ["deriveBits"]);
  const left = await subtle.deriveBits({ name: "X25519", public: theirs.publicKey }, mine.privateKey);
  const right = await subtle.deriveBits({ name: "X25519", public: mine.publicKey }, theirs.privateKey, null);
  return left.byteLength === 32 && isSame(left, right);
}
