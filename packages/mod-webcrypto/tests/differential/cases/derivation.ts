import { type Case, CURVES, call, code, combinations, HASHES, someBytes } from "../case.ts";

const LENGTHS = [undefined, null, 0, 1, 7, 8, 9, 32, 255, 256, 257, 512, 2 ** 32 + 8, -8, "16", "x"] as const;

export function hkdfCases(): Case[] {
  const hkdf = (hash: string, salt = 16, info = 10) => ({
    name: "HKDF",
    hash,
    salt: someBytes(salt),
    info: someBytes(info),
  });
  const key = `const key = await ${call("importKey", "raw", someBytes(22), "HKDF", false, ["deriveBits"])};`;
  const lengths = combinations(HASHES, LENGTHS).map(([hash, length]) => ({
    id: `HKDF ${hash} of ${JSON.stringify(length)} bits`,
    program: `${key} return ${call("deriveBits", hkdf(hash), code("key"), length)}`,
  }));
  const most = { "SHA-1": 20, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64 };
  const limits = combinations(HASHES, [0, 1]).map(([hash, more]) => ({
    id: `HKDF ${hash} of its most bytes and ${more}`,
    program: `${key} return (${call("deriveBits", hkdf(hash), code("key"), (255 * most[hash] + more) * 8)}).then((bits) => bits.byteLength)`,
  }));
  const parts = combinations([0, 1, 200], [0, 1, 200]).map(([salt, info]) => ({
    id: `HKDF with a salt of ${salt} and an info of ${info} bytes`,
    program: `${key} return ${call("deriveBits", hkdf("SHA-256", salt, info), code("key"), 256)}`,
  }));
  const secrets = [0, 1, 64, 200].map((bytes) => ({
    id: `HKDF of a secret of ${bytes} bytes`,
    program: `const key = await ${call("importKey", "raw", someBytes(bytes), "HKDF", false, ["deriveBits"])};
      return [key, await ${call("deriveBits", hkdf("SHA-256"), code("key"), 256)}]`,
  }));
  const long = {
    id: "HKDF with an info of 1025 bytes",
    program: `${key} return ${call("deriveBits", hkdf("SHA-256", 8, 1025), code("key"), 256)}`,
  };
  return [...lengths, ...limits, ...parts, ...secrets, long];
}

export function pbkdf2Cases(): Case[] {
  const pbkdf2 = (hash: string, iterations: unknown, salt = 16) => ({
    name: "PBKDF2",
    hash,
    salt: someBytes(salt),
    iterations,
  });
  const key = `const key = await ${call("importKey", "raw", someBytes(12), "PBKDF2", false, ["deriveBits"])};`;
  const lengths = combinations(HASHES, LENGTHS).map(([hash, length]) => ({
    id: `PBKDF2 ${hash} of ${JSON.stringify(length)} bits`,
    program: `${key} return ${call("deriveBits", pbkdf2(hash, 3), code("key"), length)}`,
  }));
  const iterations = [0, 1, 2, 1000, -1, 2 ** 32, 1.9, "5", null].map((count) => ({
    id: `PBKDF2 with ${JSON.stringify(count)} iterations`,
    program: `${key} return ${call("deriveBits", pbkdf2("SHA-256", count), code("key"), 256)}`,
  }));
  const inputs = combinations([0, 1, 64, 65, 200], [0, 1, 100]).map(([password, salt]) => ({
    id: `PBKDF2 of a password of ${password} and a salt of ${salt} bytes`,
    program: `const key = await ${call("importKey", "raw", someBytes(password), "PBKDF2", false, ["deriveBits"])};
      return ${call("deriveBits", pbkdf2("SHA-512", 2, salt), code("key"), 1032)}`,
  }));
  return [...lengths, ...iterations, ...inputs];
}

function imported(name: string, jwk: string, algorithm: object, usages: string[], isPublic = false): string {
  const data = isPublic ? `{ ...keys.${jwk}, d: undefined }` : `keys.${jwk}`;
  return `const ${name} = await ${call("importKey", "jwk", code(data), algorithm, true, usages)};`;
}

export function agreementCases(): Case[] {
  const kinds = [
    ...CURVES.map((namedCurve) => ({
      key: namedCurve.toLowerCase().replace("-", ""),
      algorithm: { name: "ECDH", namedCurve },
    })),
    { key: "x25519", algorithm: { name: "X25519" } },
  ];
  const lengths = [...LENGTHS, 384, 385, 521, 528, 529];
  const derived = combinations(kinds, lengths).map(([{ key, algorithm }, length]) => ({
    id: `${key} deriveBits of ${JSON.stringify(length)} bits`,
    program: `${imported("own", `${key}a`, algorithm, ["deriveBits"])}
      ${imported("other", `${key}b`, algorithm, [], true)}
      return ${call("deriveBits", { name: algorithm.name, public: code("other") }, code("own"), length)}`,
  }));
  const mixed = combinations(kinds, kinds).map(([one, two]) => ({
    id: `${one.key} deriveBits with a ${two.key} key`,
    program: `${imported("own", `${one.key}a`, one.algorithm, ["deriveBits"])}
      ${imported("other", `${two.key}b`, two.algorithm, [], true)}
      return ${call("deriveBits", { name: one.algorithm.name, public: code("other") }, code("own"), 128)}`,
  }));
  const halves = kinds.flatMap(({ key, algorithm }) => [
    {
      id: `${key} deriveBits with two private keys`,
      program: `${imported("own", `${key}a`, algorithm, ["deriveBits"])}
        return ${call("deriveBits", { name: algorithm.name, public: code("own") }, code("own"), 128)}`,
    },
    {
      id: `${key} deriveBits by a public key`,
      program: `${imported("other", `${key}b`, algorithm, [], true)}
        return ${call("deriveBits", { name: algorithm.name, public: code("other") }, code("other"), 128)}`,
    },
    {
      id: `${key} deriveBits by a key for deriveKey`,
      program: `${imported("own", `${key}a`, algorithm, ["deriveKey"])}
        ${imported("other", `${key}b`, algorithm, [], true)}
        return ${call("deriveBits", { name: algorithm.name, public: code("other") }, code("own"), 128)}`,
    },
  ]);
  const small = [
    "00".repeat(32),
    `01${"00".repeat(31)}`,
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  ];
  const lowOrder = small.map((point) => ({
    id: `x25519 with the point ${point}`,
    program: `${imported("own", "x25519a", { name: "X25519" }, ["deriveBits"])}
      const other = await ${call("importKey", "raw", code(`hex("${point}")`), "X25519", true, [])};
      return ${call("deriveBits", { name: "X25519", public: code("other") }, code("own"), null)}`,
  }));
  const publics = [undefined, null, {}, "text"].map((value) => ({
    id: `ECDH with ${JSON.stringify(value)} for a public key`,
    program: `${imported("own", "p256a", { name: "ECDH", namedCurve: "P-256" }, ["deriveBits"])}
      return ${call("deriveBits", { name: "ECDH", public: value }, code("own"), 128)}`,
  }));
  return [...derived, ...mixed, ...halves, ...lowOrder, ...publics];
}

export function deriveKeyCases(): Case[] {
  const bases = [
    { name: "HKDF", params: { name: "HKDF", hash: "SHA-256", salt: someBytes(8), info: someBytes(8) } },
    { name: "PBKDF2", params: { name: "PBKDF2", hash: "SHA-512", salt: someBytes(8), iterations: 2 } },
  ];
  const targets = [
    { type: { name: "AES-GCM", length: 128 }, usages: ["encrypt"] },
    { type: { name: "AES-CBC", length: 192 }, usages: ["decrypt"] },
    { type: { name: "AES-CTR", length: 256 }, usages: ["encrypt"] },
    { type: { name: "AES-KW", length: 256 }, usages: ["wrapKey"] },
    { type: { name: "AES-GCM", length: 100 }, usages: ["encrypt"] },
    { type: { name: "AES-GCM", length: 128 }, usages: [] },
    { type: { name: "AES-GCM", length: 128 }, usages: ["sign"] },
    { type: { name: "AES-GCM" }, usages: ["encrypt"] },
    { type: { name: "HMAC", hash: "SHA-1" }, usages: ["sign"] },
    { type: { name: "HMAC", hash: "SHA-384", length: 200 }, usages: ["verify"] },
    { type: { name: "HMAC", hash: "SHA-256", length: 12 }, usages: ["sign"] },
    { type: { name: "HMAC", hash: "SHA-256", length: 0 }, usages: ["sign"] },
    { type: "HKDF", usages: ["deriveBits"] },
    { type: "PBKDF2", usages: ["deriveKey"] },
    { type: { name: "ECDH", namedCurve: "P-256" }, usages: ["deriveBits"] },
    { type: "Ed25519", usages: ["verify"] },
    { type: "SHA-256", usages: [] },
  ];
  return combinations(bases, targets, [true, false]).map(([base, { type, usages }, extractable]) => ({
    id: `deriveKey ${base.name} to ${JSON.stringify(type)} for ${usages}, extractable ${extractable}`,
    program: `
      const key = await ${call("importKey", "raw", someBytes(20), base.name, false, ["deriveKey"])};
      const derived = await ${call("deriveKey", base.params, code("key"), type, extractable, usages)};
      return [derived, await subtle.exportKey("raw", derived)];`,
  }));
}

export function agreedKeyCases(): Case[] {
  const kinds = [
    { key: "p256", algorithm: { name: "ECDH", namedCurve: "P-256" } },
    { key: "p521", algorithm: { name: "ECDH", namedCurve: "P-521" } },
    { key: "x25519", algorithm: { name: "X25519" } },
  ];
  const targets = [
    { name: "AES-GCM", length: 128 },
    { name: "AES-GCM", length: 256 },
    { name: "HMAC", hash: "SHA-256" },
    { name: "HMAC", hash: "SHA-256", length: 250 },
    { name: "HKDF" },
  ];
  return combinations(kinds, targets).map(([{ key, algorithm }, type]) => ({
    id: `deriveKey ${key} to ${JSON.stringify(type)}`,
    program: `${imported("own", `${key}a`, algorithm, ["deriveKey"])}
      ${imported("other", `${key}b`, algorithm, [], true)}
      const usages = ${JSON.stringify(type.name === "HMAC" ? ["sign"] : type.name === "HKDF" ? ["deriveBits"] : ["encrypt"])};
      const derived = await ${call("deriveKey", { name: algorithm.name, public: code("other") }, code("own"), type, type.name !== "HKDF", code("usages"))};
      return [derived, derived.extractable ? await subtle.exportKey("raw", derived) : null];`,
  }));
}
