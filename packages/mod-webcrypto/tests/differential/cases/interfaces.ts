import { type Case, combinations } from "../case.ts";

/** What Web IDL says of arguments, receivers and objects; and which of two faults is told. */
const METHODS = {
  encrypt: ['{ name: "AES-GCM", iv: new Uint8Array(12) }', "key", "data"],
  decrypt: ['{ name: "AES-GCM", iv: new Uint8Array(12) }', "key", "data"],
  sign: ['"HMAC"', "macKey", "data"],
  verify: ['"HMAC"', "macKey", "data", "data"],
  digest: ['"SHA-256"', "data"],
  generateKey: ['{ name: "AES-GCM", length: 128 }', "true", '["encrypt"]'],
  deriveKey: [
    '{ name: "HKDF", hash: "SHA-1", salt: data, info: data }',
    "baseKey",
    '{ name: "AES-GCM", length: 128 }',
    "true",
    '["encrypt"]',
  ],
  deriveBits: ['{ name: "HKDF", hash: "SHA-1", salt: data, info: data }', "baseKey", "128"],
  importKey: ['"raw"', "data", '"AES-GCM"', "true", '["encrypt"]'],
  exportKey: ['"raw"', "key"],
  wrapKey: ['"raw"', "key", "key", '{ name: "AES-GCM", iv: new Uint8Array(12) }'],
  unwrapKey: [
    '"raw"',
    "data",
    "key",
    '{ name: "AES-GCM", iv: new Uint8Array(12) }',
    '"AES-GCM"',
    "true",
    '["encrypt"]',
  ],
};

const SETUP = `
  const data = new Uint8Array(32);
  const all = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];
  const key = await subtle.importKey("raw", new Uint8Array(16), "AES-GCM", true, all);
  const macKey = await subtle.importKey("raw", data, { name: "HMAC", hash: "SHA-256" }, true, ["sign", "verify"]);
  const baseKey = await subtle.importKey("raw", data, "HKDF", false, ["deriveBits", "deriveKey"]);`;

const ODD_VALUES = [
  "undefined",
  "null",
  "5",
  '"text"',
  "{}",
  "[]",
  "Symbol()",
  "() => {}",
  "new Proxy({}, {})",
  "1n",
];

export function interfaceCases(): Case[] {
  const odd = Object.entries(METHODS).flatMap(([method, args]) =>
    combinations(
      args.map((_, index) => index),
      ODD_VALUES,
    ).map(([index, value]) => ({
      id: `${method} with ${value} for argument ${index}`,
      program: `${SETUP} return (await subtle.${method}(${args.with(index, value).join(", ")}), "done")`,
    })),
  );
  const missing = Object.entries(METHODS).flatMap(([method, args]) =>
    args.map((_, count) => ({
      id: `${method} with ${count} arguments`,
      program: `${SETUP} return (await subtle.${method}(${args.slice(0, count).join(", ")}), "done")`,
    })),
  );
  const receivers = combinations(Object.keys(METHODS) as (keyof typeof METHODS)[], [
    "undefined",
    "{}",
    "crypto",
  ]).map(([method, receiver]) => ({
    id: `${method} called on ${receiver}`,
    program: `${SETUP} return (await subtle.${method}.call(${[receiver, ...METHODS[method]].join(", ")}), "done")`,
  }));
  const shapes = Object.keys(METHODS).map((method) => ({
    id: `${method} is a method of Web IDL`,
    program: `
      const found = Object.getOwnPropertyDescriptor(SubtleCrypto.prototype, "${method}");
      const promise = subtle.${method}();
      promise.catch(() => {});
      return [found.enumerable, found.writable, found.configurable, found.value.length, found.value.name,
        promise instanceof Promise];`,
  }));
  return [...odd, ...missing, ...receivers, ...shapes, ...objectCases(), ...orderCases(), ...copyCases()];
}

function named(programs: { [id: string]: string }): Case[] {
  return Object.entries(programs).map(([id, program]) => ({ id, program: SETUP + program }));
}

function objectCases(): Case[] {
  return named({
    "crypto is a Crypto": `return [Object.prototype.toString.call(crypto), crypto instanceof Crypto, crypto.subtle === subtle]`,
    "subtle is a SubtleCrypto": `return [Object.prototype.toString.call(subtle), subtle instanceof SubtleCrypto]`,
    "Crypto cannot be constructed": `return new Crypto()`,
    "SubtleCrypto cannot be constructed": `return new SubtleCrypto()`,
    "CryptoKey cannot be constructed": `return new CryptoKey()`,
    "CryptoKey is no function": `return CryptoKey()`,
    "a key's attributes are on its prototype": `return [Object.keys(key), ["type", "extractable", "algorithm", "usages"].map((name) => typeof Object.getOwnPropertyDescriptor(CryptoKey.prototype, name).get)]`,
    "a key's type cannot be set": `return [Reflect.set(key, "type", "public"), key.type]`,
    "a key's algorithm is the same object": `return [key.algorithm === key.algorithm, key.usages === key.usages]`,
    "changing a key's algorithm changes no key": `macKey.algorithm.hash.name = "SHA-1"; macKey.algorithm.name = "AES-GCM"; return subtle.sign("HMAC", macKey, data)`,
    "changing a key's usages changes no key": `key.usages.push("sign"); key.usages.length = 0; return (await subtle.encrypt({ name: "AES-GCM", iv: data }, key, data)).byteLength`,
    "an object that looks like a key is none": `return subtle.exportKey("raw", { type: "secret", extractable: true, algorithm: { name: "AES-GCM" }, usages: [] })`,
    "an object with a key's prototype is none": `return subtle.exportKey("raw", Object.create(CryptoKey.prototype))`,
    "a proxy of a key is none": `return subtle.exportKey("raw", new Proxy(key, {}))`,
    "an object that inherits from a key is none": `return subtle.exportKey("raw", Object.create(key))`,
    "a key with another prototype is one": `Object.setPrototypeOf(key, null); return subtle.exportKey("raw", key)`,
    "a getter of a key needs a key": `return Object.getOwnPropertyDescriptor(CryptoKey.prototype, "type").get.call({})`,
    "exported bytes are a copy": `new Uint8Array(await subtle.exportKey("raw", key)).fill(9); return subtle.exportKey("raw", key)`,
    "a generated pair is a plain object": `const pair = await subtle.generateKey("Ed25519", false, ["sign"]); return [Object.keys(pair).sort(), Object.getPrototypeOf(pair) === Object.prototype]`,
    "an exported JWK is a plain object": `const jwk = await subtle.exportKey("jwk", key); return [Object.getPrototypeOf(jwk) === Object.prototype, Array.isArray(jwk.key_ops)]`,
  });
}

function orderCases(): Case[] {
  const gcm = '{ name: "AES-GCM", iv: data }';
  return named({
    "unknown algorithm before wrong usage": `return subtle.encrypt("nothing", macKey, data)`,
    "wrong parameter before wrong key": `return subtle.encrypt({ name: "AES-GCM" }, macKey, data)`,
    "wrong key before wrong IV length": `return subtle.encrypt({ name: "AES-CBC", iv: new Uint8Array(3) }, macKey, data)`,
    "wrong usage before wrong tag length": `const other = await subtle.importKey("raw", new Uint8Array(16), "AES-GCM", true, ["decrypt"]); return subtle.encrypt({ name: "AES-GCM", iv: data, tagLength: 5 }, other, data)`,
    "wrong key before wrong counter length": `return subtle.encrypt({ name: "AES-CTR", counter: new Uint8Array(3), length: 8 }, macKey, data)`,
    "wrong usage before wrong key type": `return subtle.generateKey("Ed25519", true, ["sign", "verify"]).then(({ publicKey }) => subtle.sign("Ed25519", publicKey, data))`,
    "wrong usage before wrong length in generateKey": `return subtle.generateKey({ name: "AES-GCM", length: 5 }, true, ["sign"])`,
    "wrong length before no usage in generateKey": `return subtle.generateKey({ name: "AES-GCM", length: 5 }, true, [])`,
    "wrong usage before wrong data in importKey": `return subtle.importKey("raw", new Uint8Array(3), "AES-GCM", true, ["sign"])`,
    "wrong data before no usage in importKey": `return subtle.importKey("raw", new Uint8Array(3), "AES-GCM", true, [])`,
    "wrong curve before wrong usage in importKey": `return subtle.importKey("raw", new Uint8Array(3), { name: "ECDSA", namedCurve: "P-1" }, true, ["encrypt"])`,
    "unknown format before unknown algorithm": `return subtle.importKey("nothing", data, "nothing", true, [])`,
    "unknown algorithm before wrong kind of data": `return subtle.importKey("jwk", data, "nothing", true, [])`,
    "wrong format before not extractable": `const other = await subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["decrypt"]); return subtle.exportKey("spki", other)`,
    "not extractable before wrong type": `const { privateKey } = await subtle.generateKey("Ed25519", false, ["sign"]); return subtle.exportKey("spki", privateKey)`,
    "no export before not extractable": `return subtle.exportKey("jwk", baseKey)`,
    "wrong length before wrong key in deriveKey": `return subtle.deriveKey({ name: "HKDF", hash: "SHA-1", salt: data, info: data }, key, { name: "AES-GCM", length: 5 }, true, ["encrypt"])`,
    "wrong usages after derivation in deriveKey": `return subtle.deriveKey({ name: "HKDF", hash: "SHA-1", salt: data, info: data }, baseKey, { name: "AES-GCM", length: 128 }, true, ["sign"])`,
    "wrong key before no length in deriveBits": `return subtle.deriveBits({ name: "HKDF", hash: "SHA-1", salt: data, info: data }, key, null)`,
    "wrong key before no iterations": `return subtle.deriveBits({ name: "PBKDF2", hash: "SHA-1", salt: data, iterations: 0 }, key, 8)`,
    "wrong base key before wrong public key": `const { publicKey } = await subtle.generateKey("X25519", false, ["deriveBits"]); return subtle.deriveBits({ name: "ECDH", public: publicKey }, key, 8)`,
    "members of the parameters are read once": `
      const read = [];
      const watched = new Proxy(${gcm}, { get: (target, name) => { read.push(String(name)); return target[name]; } });
      await subtle.encrypt(watched, key, data);
      return [...new Set(read)].sort();`,
    "an error of a getter is passed on": `return subtle.encrypt({ get name() { throw new RangeError("mine"); } }, key, data)`,
    "an error of toString is passed on": `return subtle.digest({ name: { toString() { throw new RangeError("mine"); } } }, data)`,
    "a name may be an object with toString": `return subtle.digest({ name: { toString: () => "SHA-1" } }, data)`,
    "an algorithm may be a function": `const algorithm = () => {}; Object.defineProperty(algorithm, "name", { value: "SHA-1" }); return subtle.digest(algorithm, data)`,
    "an algorithm may be a String object": `return subtle.digest(new String("SHA-1"), data)`,
    "usages may be any iterable": `return subtle.generateKey({ name: "AES-GCM", length: 128 }, true, new Set(["decrypt", "encrypt"]))`,
    "extractable may be any value": `return subtle.generateKey({ name: "AES-GCM", length: 128 }, "", ["decrypt"])`,
  });
}

/** Parameters are copied before any work: what a mod changes after the call changes nothing. */
function copyCases(): Case[] {
  return named({
    "data is copied": `const text = new Uint8Array(3); const promise = subtle.digest("SHA-256", text); text.fill(9); return promise`,
    "an IV is copied": `const iv = new Uint8Array(12); const promise = subtle.encrypt({ name: "AES-GCM", iv }, key, data); iv.fill(9); return promise`,
    "a key is copied": `const raw = new Uint8Array(16); const promise = subtle.importKey("raw", raw, "AES-GCM", true, ["encrypt"]); raw.fill(9); return subtle.exportKey("raw", await promise)`,
    "a JWK is copied": `const jwk = { kty: "oct", k: "AAECAwQFBgcICQoLDA0ODw" }; const promise = subtle.importKey("jwk", jwk, "AES-GCM", true, ["encrypt"]); jwk.k = ""; return subtle.exportKey("raw", await promise)`,
    "a salt is copied": `const salt = new Uint8Array(4); const promise = subtle.deriveBits({ name: "HKDF", hash: "SHA-1", salt, info: salt }, baseKey, 128); salt.fill(9); return promise`,
    "a buffer may be transferred after the call": `const text = new Uint8Array(3); const promise = subtle.digest("SHA-256", text); text.buffer.transfer(); return promise`,
    "usages are copied": `const usages = ["encrypt"]; const promise = subtle.importKey("raw", new Uint8Array(16), "AES-GCM", true, usages); usages[0] = "sign"; return promise`,
  });
}
