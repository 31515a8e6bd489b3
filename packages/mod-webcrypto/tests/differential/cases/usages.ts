import { type Case, call, code, combinations, someBytes } from "../case.ts";

const USAGES = ["encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"];

const GENERATED = [
  { name: "AES-CTR", length: 128 },
  { name: "AES-CBC", length: 128 },
  { name: "AES-GCM", length: 128 },
  { name: "AES-KW", length: 128 },
  { name: "HMAC", hash: "SHA-256" },
  { name: "ECDSA", namedCurve: "P-256" },
  { name: "ECDH", namedCurve: "P-256" },
  { name: "Ed25519" },
  { name: "X25519" },
];

/** Each usage alone, none, all of them, and some that are no usages. */
const USAGE_LISTS: unknown[] = [
  ...USAGES.map((usage) => [usage]),
  [],
  USAGES,
  ["sign", "verify"],
  ["verify", "sign", "sign"],
  ["deriveBits", "deriveKey"],
  ["unwrapKey", "wrapKey", "decrypt", "encrypt"],
  ["SIGN"],
  ["nonsense"],
  "sign",
  null,
  undefined,
  {},
  [undefined],
];

export function usageCases(): Case[] {
  const generated = combinations(GENERATED, USAGE_LISTS).map(([algorithm, usages]) => ({
    id: `generate ${JSON.stringify(algorithm)} for ${JSON.stringify(usages)}`,
    program: `
      const made = await ${call("generateKey", algorithm, false, usages)};
      return made instanceof CryptoKey ? made : [made.publicKey, made.privateKey];`,
  }));
  const secrets = combinations(
    ["AES-GCM", "AES-KW", { name: "HMAC", hash: "SHA-1" }, "HKDF", "PBKDF2", "Ed25519", "X25519"],
    USAGE_LISTS,
  ).map(([algorithm, usages]) => ({
    id: `import raw ${JSON.stringify(algorithm)} for ${JSON.stringify(usages)}`,
    program: `return ${call("importKey", "raw", someBytes(32), algorithm, false, usages)}`,
  }));
  const kdfs = combinations(["HKDF", "PBKDF2"], ["raw", "jwk", "spki", "raw-secret"], [true, false]).map(
    ([name, format, extractable]) => ({
      id: `import ${name} as ${format}, extractable ${extractable}`,
      program: `return ${call("importKey", format, format === "jwk" ? { kty: "oct", k: "AAAA" } : someBytes(8), name, extractable, ["deriveBits"])}`,
    }),
  );
  const rsa = combinations(
    ["RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP"],
    [["sign"], ["decrypt"], [], ["verify"], ["wrapKey"]],
  ).map(([name, usages]) => ({
    id: `generate ${name} of 1024 bits for ${JSON.stringify(usages)}`,
    program: `
        const algorithm = { name: "${name}", modulusLength: 1024, publicExponent: hex("010001"), hash: "SHA-256" };
        const pair = await ${call("generateKey", code("algorithm"), false, usages)};
        return [pair.publicKey, pair.privateKey];`,
  }));
  return [...generated, ...secrets, ...kdfs, ...rsa, ...rsaParameterCases(), ...wrongUseCases()];
}

function rsaParameterCases(): Case[] {
  const parameters = [
    { modulusLength: 0 },
    { modulusLength: 128 },
    { modulusLength: 255 },
    { modulusLength: 256 },
    { modulusLength: 1000 },
    { modulusLength: 1023 },
    { modulusLength: -1 },
    { modulusLength: "1024" },
    { modulusLength: undefined },
    { publicExponent: code('hex("03")') },
    { publicExponent: code('hex("00000003")') },
    { publicExponent: code('hex("00")') },
    { publicExponent: code('hex("01")') },
    { publicExponent: code('hex("02")') },
    { publicExponent: code('hex("")') },
    { publicExponent: code('hex("010000000000000001")') },
    { publicExponent: code('hex("010001").buffer') },
    { publicExponent: 65_537 },
    { publicExponent: undefined },
    { hash: undefined },
    { hash: "MD5" },
    { hash: {} },
  ];
  return parameters.map((parameter) => {
    const algorithm = {
      name: "RSA-PSS",
      modulusLength: 1024,
      publicExponent: code('hex("010001")'),
      hash: "SHA-256",
      ...parameter,
    };
    const [[name, value]] = Object.entries(parameter) as [[string, unknown]];
    return {
      id: `generate RSA-PSS with ${name} ${JSON.stringify(value)}`,
      program: `const pair = await ${call("generateKey", algorithm, true, ["sign"])};
        const jwk = await subtle.exportKey("jwk", pair.privateKey);
        return [pair.publicKey, jwk.e];`,
    };
  });
}

/** Keys used for what they are not for, and by algorithms whose keys they are not. */
function wrongUseCases(): Case[] {
  const methods = {
    encrypt: [
      { name: "AES-GCM", iv: someBytes(12) },
      { name: "AES-CBC", iv: someBytes(16) },
      "AES-KW",
      "RSA-OAEP",
    ],
    decrypt: [
      { name: "AES-GCM", iv: someBytes(12) },
      { name: "AES-CTR", counter: someBytes(16), length: 8 },
      "HMAC",
    ],
    sign: ["HMAC", "Ed25519", { name: "ECDSA", hash: "SHA-256" }, "AES-GCM", "RSASSA-PKCS1-v1_5"],
  };
  const holders = [
    { algorithm: "AES-GCM", usages: ["encrypt"] },
    { algorithm: "AES-GCM", usages: ["decrypt"] },
    { algorithm: "AES-KW", usages: ["wrapKey"] },
    { algorithm: { name: "HMAC", hash: "SHA-256" }, usages: ["verify"] },
    { algorithm: "Ed25519", usages: ["verify"] },
  ];
  return Object.entries(methods).flatMap(([method, algorithms]) =>
    combinations(algorithms as unknown[], holders).map(([algorithm, holder]) => ({
      id: `${method} by ${JSON.stringify(algorithm)} with a key of ${JSON.stringify(holder)}`,
      program: `const key = await ${call("importKey", "raw", someBytes(32), holder.algorithm, true, holder.usages)};
        return ${call(method, algorithm, code("key"), someBytes(32))}.then(() => "done")`,
    })),
  );
}
