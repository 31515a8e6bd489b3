import { type Case, CURVES, call, code, combinations, HASHES, someBytes } from "../case.ts";

/** Imports both halves of a fixture key as `privateKey` and `publicKey`. */
function importPair(
  jwk: string,
  algorithm: object | string,
  privateUsages: string[],
  publicUsages: string[],
): string {
  return `
    const privateKey = await ${call("importKey", "jwk", code(`keys.${jwk}`), algorithm, true, privateUsages)};
    const publicJwk = { ...keys.${jwk} };
    for (const name of ["d", "p", "q", "dp", "dq", "qi"]) delete publicJwk[name];
    const publicKey = await ${call("importKey", "jwk", code("publicJwk"), algorithm, true, publicUsages)};`;
}

function signCases(): Case[] {
  const rsa = combinations(["rsa1024", "rsa2048"], HASHES, [0, 1, 300]).map(([key, hash, length]) => ({
    id: `RSASSA-PKCS1-v1_5 ${key} ${hash} of ${length} bytes`,
    program: `${importPair(key, { name: "RSASSA-PKCS1-v1_5", hash }, ["sign"], ["verify"])}
      const signature = await ${call("sign", "RSASSA-PKCS1-v1_5", code("privateKey"), someBytes(length))};
      const good = await ${call("verify", "RSASSA-PKCS1-v1_5", code("publicKey"), code("signature"), someBytes(length))};
      const bad = await ${call("verify", "RSASSA-PKCS1-v1_5", code("publicKey"), code("signature"), someBytes(length + 1))};
      return [signature, good, bad];`,
  }));
  const ed25519 = [0, 1, 32, 63, 64, 65, 300].map((length) => ({
    id: `Ed25519 of ${length} bytes`,
    program: `${importPair("ed25519a", "Ed25519", ["sign"], ["verify"])}
      const signature = await ${call("sign", "Ed25519", code("privateKey"), someBytes(length))};
      const good = await ${call("verify", "Ed25519", code("publicKey"), code("signature"), someBytes(length))};
      const bad = await ${call("verify", "Ed25519", code("publicKey"), code("signature.slice(1)"), someBytes(length))};
      return [signature, good, bad];`,
  }));
  return [...rsa, ...ed25519];
}

function pssCases(): Case[] {
  const salts = [
    0,
    1,
    20,
    32,
    48,
    62,
    63,
    64,
    74,
    75,
    94,
    95,
    106,
    107,
    222,
    223,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    -1,
  ];
  return combinations(["rsa1024", "rsa2048"], HASHES, salts).map(([key, hash, saltLength]) => ({
    id: `RSA-PSS ${key} ${hash} with a salt of ${saltLength} bytes`,
    program: `${importPair(key, { name: "RSA-PSS", hash }, ["sign"], ["verify"])}
      const algorithm = { name: "RSA-PSS", saltLength: ${saltLength} };
      const signature = await ${call("sign", code("algorithm"), code("privateKey"), someBytes(50))};
      const good = await ${call("verify", code("algorithm"), code("publicKey"), code("signature"), someBytes(50))};
      const other = { name: "RSA-PSS", saltLength: ${saltLength === 20 ? 21 : 20} };
      const bad = await ${call("verify", code("other"), code("publicKey"), code("signature"), someBytes(50))};
      return [signature.byteLength, good, bad];`,
  }));
}

function ecdsaCases(): Case[] {
  const fixed = combinations(CURVES, HASHES).flatMap(([namedCurve, hash]) => {
    const jwk = `${namedCurve.toLowerCase().replace("-", "")}a`;
    const setup = importPair(jwk, { name: "ECDSA", namedCurve }, ["sign"], ["verify"]);
    const algorithm = { name: "ECDSA", hash };
    return [
      {
        id: `ECDSA ${namedCurve} ${hash}`,
        program: `${setup}
          const signature = await ${call("sign", algorithm, code("privateKey"), someBytes(70))};
          const good = await ${call("verify", algorithm, code("publicKey"), code("signature"), someBytes(70))};
          const bad = await ${call("verify", algorithm, code("publicKey"), code("signature"), someBytes(71))};
          const short = await ${call("verify", algorithm, code("publicKey"), code("signature.slice(1)"), someBytes(70))};
          const none = await ${call("verify", algorithm, code("publicKey"), code("new Uint8Array(signature.byteLength)"), someBytes(70))};
          return [signature.byteLength, good, bad, short, none];`,
      },
      {
        id: `ECDSA ${namedCurve} ${hash} with the halves exchanged`,
        program: `${setup} return [
          await ${call("sign", algorithm, code("publicKey"), someBytes(1))}.catch((error) => error.name),
          await ${call("verify", algorithm, code("privateKey"), someBytes(1), someBytes(1))}.catch((error) => error.name),
        ]`,
      },
    ];
  });
  const hashes = [undefined, "SHA-3", "sha-256", { name: "SHA-512" }, "MD5", {}, null].map((hash) => ({
    id: `ECDSA with the hash ${JSON.stringify(hash)}`,
    program: `${importPair("p256a", { name: "ECDSA", namedCurve: "P-256" }, ["sign"], ["verify"])}
      return (${call("sign", { name: "ECDSA", hash }, code("privateKey"), someBytes(4))}).then((s) => s.byteLength)`,
  }));
  return [...fixed, ...hashes];
}

function oaepCases(): Case[] {
  const overhead = { "SHA-1": 42, "SHA-256": 66, "SHA-384": 98, "SHA-512": 130 };
  return combinations(["rsa1024", "rsa2048"], HASHES, [undefined, 0, 1, 100], ["none", "most", "more"]).map(
    ([key, hash, label, size]) => {
      const most = (key === "rsa1024" ? 128 : 256) - overhead[hash];
      const length = size === "none" ? 0 : size === "most" ? Math.max(most, 0) : Math.max(most, 0) + 1;
      const algorithm = { name: "RSA-OAEP", label: label === undefined ? undefined : someBytes(label) };
      return {
        id: `RSA-OAEP ${key} ${hash} of ${size} bytes with a label of ${label}`,
        program: `${importPair(key, { name: "RSA-OAEP", hash }, ["decrypt"], ["encrypt"])}
          const cipher = await ${call("encrypt", algorithm, code("publicKey"), someBytes(length))};
          const back = await ${call("decrypt", algorithm, code("privateKey"), code("cipher"))};
          const other = await ${call("decrypt", { name: "RSA-OAEP", label: someBytes(3) }, code("privateKey"), code("cipher"))}.catch((error) => error.name);
          return [cipher.byteLength, back, other];`,
      };
    },
  );
}

interface Kind {
  readonly jwk: string;
  readonly algorithm: { name: string; hash?: string; namedCurve?: string };
  readonly privateUsages: string[];
  readonly publicUsages: string[];
}

const KINDS: Kind[] = [
  ...HASHES.flatMap((hash) => [
    {
      jwk: "rsa1024",
      algorithm: { name: "RSASSA-PKCS1-v1_5", hash },
      privateUsages: ["sign"],
      publicUsages: ["verify"],
    },
    {
      jwk: "rsa1024",
      algorithm: { name: "RSA-PSS", hash },
      privateUsages: ["sign"],
      publicUsages: ["verify"],
    },
    {
      jwk: "rsa1024",
      algorithm: { name: "RSA-OAEP", hash },
      privateUsages: ["decrypt", "unwrapKey"],
      publicUsages: ["encrypt", "wrapKey"],
    },
  ]),
  ...CURVES.flatMap((namedCurve) => {
    const jwk = `${namedCurve.toLowerCase().replace("-", "")}a`;
    return [
      { jwk, algorithm: { name: "ECDSA", namedCurve }, privateUsages: ["sign"], publicUsages: ["verify"] },
      {
        jwk,
        algorithm: { name: "ECDH", namedCurve },
        privateUsages: ["deriveKey", "deriveBits"],
        publicUsages: [],
      },
    ];
  }),
  { jwk: "ed25519a", algorithm: { name: "Ed25519" }, privateUsages: ["sign"], publicUsages: ["verify"] },
  { jwk: "x25519a", algorithm: { name: "X25519" }, privateUsages: ["deriveBits"], publicUsages: [] },
];

/** Out in every format and in again, from a key whose bytes are known: the encodings must be the same. */
function formatCases(): Case[] {
  return combinations(
    KINDS,
    ["raw", "spki", "pkcs8", "jwk", "raw-public", "raw-seed"],
    ["public", "private"],
  ).map(([kind, format, half]) => ({
    id: `${JSON.stringify(kind.algorithm)} ${half} out and in as ${format}`,
    program: `${importPair(kind.jwk, kind.algorithm, kind.privateUsages, kind.publicUsages)}
        const out = await ${call("exportKey", format, code(`${half}Key`))};
        const usages = ${JSON.stringify(half === "public" ? kind.publicUsages : kind.privateUsages)};
        return [out, await ${call("importKey", format, code("out"), kind.algorithm, false, code("usages"))}];`,
  }));
}

/** Encodings that are wrong in one place each. */
function malformedCases(): Case[] {
  const changes = [
    "out.slice(1)",
    "out.slice(0, -1)",
    "Uint8Array.of(...out, 0)",
    "out.fill(0, 0, 1)",
    "out.with(out.length - 1, out.at(-1) ^ 1)",
    "out.with(5, out[5] ^ 0xff)",
    "new Uint8Array(0)",
  ];
  const kinds = KINDS.filter(({ algorithm }) => (algorithm.hash ?? "SHA-256") === "SHA-256");
  return combinations(kinds, ["spki", "pkcs8"], changes).map(([kind, format, change]) => ({
    id: `${JSON.stringify(kind.algorithm)} ${format} with ${change}`,
    program: `${importPair(kind.jwk, kind.algorithm, kind.privateUsages, kind.publicUsages)}
      const out = new Uint8Array(await ${call("exportKey", format, code(format === "spki" ? "publicKey" : "privateKey"))});
      const usages = ${JSON.stringify(format === "spki" ? kind.publicUsages : kind.privateUsages)};
      return (${call("importKey", format, code(change), kind.algorithm, true, code("usages"))}).then((key) => key.type);`,
  }));
}

/** Each kind's encoding read as every other kind. */
function crossedCases(): Case[] {
  const kinds = KINDS.filter(({ algorithm }) => (algorithm.hash ?? "SHA-1") === "SHA-1");
  return combinations(kinds, kinds, ["spki", "pkcs8", "jwk"])
    .filter(([from, to]) => from.algorithm !== to.algorithm)
    .map(([from, to, format]) => ({
      id: `${JSON.stringify(from.algorithm)} ${format} read as ${JSON.stringify(to.algorithm)}`,
      program: `${importPair(from.jwk, from.algorithm, from.privateUsages, from.publicUsages)}
        const out = await ${call("exportKey", format, code(format === "pkcs8" ? "privateKey" : "publicKey"))};
        if (${format === "jwk"}) delete out.key_ops;
        const usages = ${JSON.stringify(format === "pkcs8" ? to.privateUsages : to.publicUsages)};
        return ${call("importKey", format, code("out"), to.algorithm, true, code("usages"))};`,
    }));
}

function pointCases(): Case[] {
  const points = combinations(CURVES, ["compressed", "hybrid", "infinity", "short", "long", "off"]).map(
    ([namedCurve, form]) => {
      const jwk = `${namedCurve.toLowerCase().replace("-", "")}a`;
      const forms = {
        compressed: "Uint8Array.of(2 + (raw.at(-1) & 1), ...raw.subarray(1, (raw.length + 1) / 2))",
        hybrid: "raw.with(0, 6 + (raw.at(-1) & 1))",
        infinity: "new Uint8Array(1)",
        short: "raw.slice(0, -1)",
        long: "Uint8Array.of(...raw, 0)",
        off: "raw.with(raw.length - 1, raw.at(-1) ^ 1)",
      };
      return {
        id: `ECDH ${namedCurve} raw, ${form}`,
        program: `${importPair(jwk, { name: "ECDH", namedCurve }, ["deriveBits"], [])}
          const raw = new Uint8Array(await subtle.exportKey("raw", publicKey));
          const key = await ${call("importKey", "raw", code(forms[form]), { name: "ECDH", namedCurve }, true, [])};
          return [key, await subtle.exportKey("raw", key)];`,
      };
    },
  );
  const names = [undefined, "P-224", "p-256", "secp256k1", "prime256v1", 256, null];
  const curves = combinations(names, ["ECDSA", "ECDH"]).flatMap(([namedCurve, name]) => [
    {
      id: `${name} generate on the curve ${JSON.stringify(namedCurve)}`,
      program: `return ${call("generateKey", { name, namedCurve }, true, [name === "ECDH" ? "deriveBits" : "sign"])}`,
    },
    {
      id: `${name} import raw on the curve ${JSON.stringify(namedCurve)}`,
      program: `return ${call("importKey", "raw", someBytes(65), { name, namedCurve }, true, [])}`,
    },
  ]);
  const lengths = combinations(["Ed25519", "X25519"], [0, 31, 32, 33]).map(([name, length]) => ({
    id: `${name} raw of ${length} bytes`,
    program: `return ${call("importKey", "raw", someBytes(length), name, true, [])}`,
  }));
  return [...points, ...curves, ...lengths];
}

export function publicKeyCases(): Case[] {
  return [
    ...signCases(),
    ...pssCases(),
    ...ecdsaCases(),
    ...oaepCases(),
    ...formatCases(),
    ...malformedCases(),
    ...crossedCases(),
    ...pointCases(),
  ];
}
