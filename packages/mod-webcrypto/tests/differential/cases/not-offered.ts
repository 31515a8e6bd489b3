import { type Case, call, code, someBytes } from "../case.ts";

/** What Node offers beyond the standard that mods were promised. */
export function notOfferedCases(): Case[] {
  const digests = ["SHA3-256", "SHA3-384", "SHA3-512"].map((name) => ({
    id: `not offered: digest ${name}`,
    program: `return ${call("digest", name, someBytes(3))}`,
  }));
  const generated = [
    { algorithm: "Ed448", usages: ["sign"] },
    { algorithm: "X448", usages: ["deriveBits"] },
    { algorithm: "ML-DSA-44", usages: ["sign"] },
    { algorithm: "ChaCha20-Poly1305", usages: ["encrypt"] },
    { algorithm: { name: "AES-OCB", length: 128 }, usages: ["encrypt"] },
  ].map(({ algorithm, usages }) => ({
    id: `not offered: generate ${JSON.stringify(algorithm)}`,
    program: `const made = await ${call("generateKey", algorithm, true, usages)};
      return (made.privateKey ?? made).type;`,
  }));
  const key = `const key = await ${call("importKey", "raw", someBytes(16), "AES-GCM", true, ["encrypt"])};`;
  return [
    ...digests,
    ...generated,
    { id: "not offered: SubtleCrypto.supports", program: "return typeof SubtleCrypto.supports" },
    { id: "not offered: getPublicKey", program: "return typeof subtle.getPublicKey" },
    { id: "not offered: encapsulateKey", program: "return typeof subtle.encapsulateKey" },
    {
      id: "not offered: raw-secret",
      program: `${key} return ${call("exportKey", "raw-secret", code("key"))}`,
    },
  ];
}
