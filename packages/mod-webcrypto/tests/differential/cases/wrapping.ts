import { type Case, call, code, combinations, someBytes } from "../case.ts";

const WRAPPERS = [
  { name: "AES-KW", algorithm: "AES-KW", key: "secret" },
  { name: "AES-GCM", algorithm: { name: "AES-GCM", iv: someBytes(12) }, key: "secret" },
  { name: "AES-CBC", algorithm: { name: "AES-CBC", iv: someBytes(16) }, key: "secret" },
  { name: "AES-CTR", algorithm: { name: "AES-CTR", counter: someBytes(16), length: 64 }, key: "secret" },
  { name: "RSA-OAEP", algorithm: { name: "RSA-OAEP" }, key: "rsa" },
];

const WRAPPED = [
  { name: "AES-GCM 128", format: "raw", bytes: 16, algorithm: "AES-GCM", usages: ["encrypt"] },
  { name: "AES-CBC 192", format: "raw", bytes: 24, algorithm: "AES-CBC", usages: ["decrypt"] },
  {
    name: "HMAC of 20 bytes",
    format: "raw",
    bytes: 20,
    algorithm: { name: "HMAC", hash: "SHA-1" },
    usages: ["sign"],
  },
  {
    name: "HMAC of 64 bytes",
    format: "raw",
    bytes: 64,
    algorithm: { name: "HMAC", hash: "SHA-512" },
    usages: ["sign"],
  },
  {
    name: "ECDH private",
    format: "jwk",
    jwk: "keys.p256a",
    algorithm: { name: "ECDH", namedCurve: "P-256" },
    usages: ["deriveBits"],
  },
  { name: "Ed25519 private", format: "jwk", jwk: "keys.ed25519a", algorithm: "Ed25519", usages: ["sign"] },
  {
    name: "RSA-PSS private",
    format: "jwk",
    jwk: "keys.rsa1024",
    algorithm: { name: "RSA-PSS", hash: "SHA-1" },
    usages: ["sign"],
  },
];

function importWrapper(wrapper: (typeof WRAPPERS)[number]): string {
  if (wrapper.key === "secret") {
    return `const wrapping = await ${call("importKey", "raw", someBytes(32, 7), wrapper.name, false, ["wrapKey", "unwrapKey"])};
      const unwrapping = wrapping;`;
  }
  return `
    const { n, e } = keys.rsa2048;
    const kind = { name: "RSA-OAEP", hash: "SHA-256" };
    const wrapping = await subtle.importKey("jwk", { kty: "RSA", n, e }, kind, true, ["wrapKey"]);
    const unwrapping = await subtle.importKey("jwk", keys.rsa2048, kind, true, ["unwrapKey"]);`;
}

export function wrappingCases(): Case[] {
  const round = combinations(WRAPPERS, WRAPPED, ["raw", "jwk", "pkcs8", "spki"]).map(
    ([wrapper, key, format]) => ({
      id: `${wrapper.name} wraps ${key.name} as ${format}`,
      program: `${importWrapper(wrapper)}
      const key = await ${call("importKey", key.format, "jwk" in key ? code(key.jwk!) : someBytes(key.bytes!), key.algorithm, true, key.usages)};
      const wrapped = await ${call("wrapKey", format, code("key"), code("wrapping"), wrapper.algorithm)};
      const back = await ${call("unwrapKey", format, code("wrapped"), code("unwrapping"), wrapper.algorithm, key.algorithm, true, key.usages)};
      return [${format === "jwk" ? "0" : wrapper.key === "rsa" ? "wrapped.byteLength" : "wrapped"}, back, await ${call("exportKey", "jwk", code("back"))}];`,
    }),
  );
  return [...round, ...jsonCases(), ...refusedCases()];
}

/** What `unwrapKey` makes of texts that are no, or odd, JSON Web Keys. */
function jsonCases(): Case[] {
  const texts = [
    "",
    "{",
    "null",
    "5",
    '"text"',
    "[]",
    "{}",
    '{"kty":"oct"}',
    '{"k":"AAECAwQFBgcICQoLDA0ODw"}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw"}',
    ' {"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw"}   ',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","ext":false}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","key_ops":["encrypt"]}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","key_ops":["decrypt"]}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","key_ops":"encrypt"}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","key_ops":{}}',
    '{"kty":"oct","k":1}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","alg":"A128GCM","use":"enc"}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","alg":null}',
    '\ufeff{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw"}',
    '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw","__proto__":{"alg":"wrong"}}',
  ];
  return texts.map((text) => ({
    id: `unwrapKey of the text ${JSON.stringify(text)}`,
    program: `
      const algorithm = { name: "AES-CBC", iv: new Uint8Array(16) };
      const key = await ${call("importKey", "raw", someBytes(16), "AES-CBC", false, ["encrypt", "unwrapKey"])};
      const text = new TextEncoder().encode(${JSON.stringify(text)});
      const wrapped = await subtle.encrypt(algorithm, key, text);
      return subtle.unwrapKey("jwk", wrapped, key, algorithm, "AES-GCM", true, ["encrypt"]);`,
  }));
}

function refusedCases(): Case[] {
  const setup = `
    const usages = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];
    const secret = (bytes, name, extractable, usages) => subtle.importKey("raw", new Uint8Array(bytes), name, extractable, usages);
    const iv = new Uint8Array(12);`;
  const programs = {
    "wrapKey of a key that is not extractable": `
      return subtle.wrapKey("raw", await secret(16, "AES-GCM", false, usages), await secret(16, "AES-KW", true, ["wrapKey"]), "AES-KW")`,
    "wrapKey of an HKDF key": `
      return subtle.wrapKey("raw", await secret(16, "HKDF", false, ["deriveBits"]), await secret(16, "AES-KW", true, ["wrapKey"]), "AES-KW")`,
    "wrapKey by a key for unwrapKey": `
      return subtle.wrapKey("raw", await secret(16, "AES-GCM", true, usages), await secret(16, "AES-KW", true, ["unwrapKey"]), "AES-KW")`,
    "wrapKey by a key for encrypt": `
      const key = await secret(16, "AES-GCM", true, ["encrypt"]);
      return subtle.wrapKey("raw", key, key, { name: "AES-GCM", iv })`,
    "wrapKey by a key of another algorithm": `
      const key = await secret(16, "AES-GCM", true, usages);
      return subtle.wrapKey("raw", key, key, "AES-KW")`,
    "wrapKey by an algorithm that cannot": `
      const key = await secret(16, "AES-GCM", true, usages);
      return subtle.wrapKey("raw", key, key, "HMAC")`,
    "wrapKey by AES-GCM without its IV": `
      const key = await secret(16, "AES-GCM", true, usages);
      return subtle.wrapKey("raw", key, key, "AES-GCM")`,
    "unwrapKey of changed bytes": `
      const key = await secret(16, "AES-KW", true, ["wrapKey", "unwrapKey"]);
      const wrapped = new Uint8Array(await subtle.wrapKey("raw", key, key, "AES-KW"));
      wrapped[3] ^= 1;
      return subtle.unwrapKey("raw", wrapped, key, "AES-KW", "AES-GCM", true, usages)`,
    "unwrapKey of no bytes": `
      return subtle.unwrapKey("raw", new Uint8Array(0), await secret(16, "AES-KW", true, ["unwrapKey"]), "AES-KW", "AES-GCM", true, usages)`,
    "unwrapKey to usages that do not fit": `
      const key = await secret(16, "AES-KW", true, ["wrapKey", "unwrapKey"]);
      const wrapped = await subtle.wrapKey("raw", key, key, "AES-KW");
      return subtle.unwrapKey("raw", wrapped, key, "AES-KW", "AES-GCM", true, ["sign"])`,
    "unwrapKey to no usages": `
      const key = await secret(16, "AES-KW", true, ["wrapKey", "unwrapKey"]);
      const wrapped = await subtle.wrapKey("raw", key, key, "AES-KW");
      return subtle.unwrapKey("raw", wrapped, key, "AES-KW", "AES-GCM", true, [])`,
    "unwrapKey to an unknown algorithm": `
      const key = await secret(16, "AES-KW", true, ["wrapKey", "unwrapKey"]);
      const wrapped = await subtle.wrapKey("raw", key, key, "AES-KW");
      return subtle.unwrapKey("raw", wrapped, key, "AES-KW", "nothing", true, usages)`,
    "exportKey of a key that is not extractable": `
      return subtle.exportKey("raw", await secret(16, "AES-GCM", false, usages))`,
    "exportKey of a PBKDF2 key": `
      return subtle.exportKey("raw", await secret(16, "PBKDF2", false, ["deriveBits"]))`,
  };
  return Object.entries(programs).map(([id, program]) => ({ id, program: setup + program }));
}
