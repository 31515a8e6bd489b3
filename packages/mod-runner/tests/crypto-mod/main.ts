/**
 * Ordinary crypto code, one function for each algorithm: what a mod's author writes who knows browsers or Node. It
 * has to compile with the realm's types and with those of browsers, and to run in the runner.
 */

import { ecdh, ecdsa, ed25519, x25519 } from "./curves.ts";
import { hkdf, pbkdf2 } from "./derivation.ts";
import { digests, randomness, texts } from "./globals.ts";
import { rsaOaep, rsaPss, rsaSsa } from "./rsa.ts";
import { aesCbc, aesCtr, aesGcm, aesKw, hmac } from "./symmetric.ts";

const steps: Record<string, () => Promise<boolean>> = {
  "SHA-1, SHA-256, SHA-384, SHA-512": digests,
  HMAC: hmac,
  "AES-CTR": aesCtr,
  "AES-CBC": aesCbc,
  "AES-GCM": aesGcm,
  "AES-KW": aesKw,
  "RSASSA-PKCS1-v1_5": rsaSsa,
  "RSA-PSS": rsaPss,
  "RSA-OAEP": rsaOaep,
  ECDSA: ecdsa,
  ECDH: ecdh,
  Ed25519: ed25519,
  X25519: x25519,
  HKDF: hkdf,
  PBKDF2: pbkdf2,
  random: randomness,
  texts,
};

/** Names of the steps that came out as they should. */
export default async function everyAlgorithm(): Promise<string[]> {
  const done: string[] = [];
  for (const [name, step] of Object.entries(steps)) if (await step()) done.push(name);
  return done;
}
