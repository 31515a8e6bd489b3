import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOperationServer, missingCargo } from "./native/build-crate.ts";
import { type NativeBridge, startNativeBridge } from "./native/native-bridge.ts";
import { bundleLayer, createLayerRealm, type LayerScripts } from "./realm/test-realm.ts";

const BUILD_MS = 600_000;
const missing = await missingCargo();

/**
 * Replaces what a mod can replace, each with something that notes that it was used. `leaks` lists the uses;
 * the test's own code keeps what it needs from before.
 */
const POISON = `
  let leaks = "";
  const Failure = Error;
  const { defineProperty, getOwnPropertyNames, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const thenOf = Promise.prototype.then;
  const callOf = Function.prototype.call;
  const then = callOf.bind(thenOf);
  const View = Uint8Array;
  const toNumbers = (buffer) => { let text = ""; const bytes = new View(buffer);
    for (let n = 0; bytes[n] !== undefined; n += 1) text += bytes[n] + ","; return text; };
  const note = (name) => function () { leaks += name + ";"; throw new Failure("poisoned " + name); };
  const kept = new Set(["constructor", "toString", "valueOf"]);
  const targets = { Array, Map, Set, WeakMap, String, Number, RegExp, Date, ArrayBuffer, DataView, Promise,
    TypedArray: getPrototypeOf(Uint8Array), Uint8Array, Error };
  const changes = [];
  const plan = (owner, key, descriptor) =>
    changes.push({ owner, key, descriptor: { __proto__: null, ...descriptor } });
  for (const name of Object.keys(targets)) {
    const { prototype } = targets[name];
    for (const key of [...getOwnPropertyNames(prototype), Symbol.iterator, Symbol.toStringTag]) {
      const found = getOwnPropertyDescriptor(prototype, key);
      if (found === undefined || !found.configurable || kept.has(key)) continue;
      const label = name + "." + String(key);
      if (typeof found.value === "function") plan(prototype, key, { value: note(label) });
      else if (found.get) plan(prototype, key, { get: note(label) });
    }
  }
  const members = ["name", "hash", "length", "iv", "encrypt", "decrypt", "sign", "importKey", "exportKey",
    "wrapKey", "unwrapKey", "deriveBits", "getKeyLength", "params", "material", "publicMaterial", "usages",
    "type", "k", "d", "x", "kty", "alg", "ext", "oth", "use", "key_ops", "toJSON", "0", "1"];
  for (const member of members) {
    plan(Object.prototype, member, { configurable: true,
      get() { leaks += "get Object." + member + ";"; return undefined; },
      set() { leaks += "set Object." + member + ";"; } });
  }
  for (const owner of [Array, Object, Reflect, JSON, Math, Number, String, ArrayBuffer, Symbol, Promise]) {
    for (const key of getOwnPropertyNames(owner)) {
      const found = getOwnPropertyDescriptor(owner, key);
      if (typeof found.value === "function" && found.configurable && key !== "prototype") {
        plan(owner, key, { value: note("static " + key), writable: true, configurable: true });
      }
    }
  }
  const used = new Set(["crypto", "structuredClone", "atob", "btoa", "TextDecoder", "TextEncoder"]);
  for (const name of getOwnPropertyNames(globalThis)) {
    if (!used.has(name) && getOwnPropertyDescriptor(globalThis, name).configurable) {
      plan(globalThis, name, { value: note("global " + name), writable: true, configurable: true });
    }
  }
  const poison = () => {
    for (let index = 0; index < changes.length; index += 1) {
      const { owner, key, descriptor } = changes[index];
      defineProperty(owner, key, descriptor);
    }
    leaks = "";
  };`;

/** Own members only, so that what the standard reads from a mod's own objects is not what is noted. */
const OWN = `
  const own = (object) => { object.__proto__ = null; return object; };
  const iv = new Uint8Array(12), data = new Uint8Array(5), raw = new Uint8Array(16);
  const iterator = Symbol.iterator;
  const list = (first, second) => own({ [iterator]: () => own({ count: 0, next() {
    this.count += 1;
    return own(this.count > 2 ? { done: true } : { done: false, value: this.count === 1 ? first : second });
  } }) });
  const jwk = own({ kty: "oct", k: "AAAAAAAAAAAAAAAAAAAAAA", alg: "A128GCM", ext: true, use: "enc", crv: undefined, d: undefined, dp: undefined,
    dq: undefined, e: undefined, key_ops: undefined, n: undefined, oth: undefined, p: undefined, q: undefined, qi: undefined, x: undefined, y: undefined });`;

describe.skipIf(missing)(
  `a realm whose mod has replaced everything${missing === undefined ? "" : `: ${missing}`}`,
  () => {
    let bridge: NativeBridge;
    let scripts: LayerScripts;

    beforeAll(async () => {
      bridge = startNativeBridge(await buildOperationServer());
      scripts = await bundleLayer();
    }, BUILD_MS);

    afterAll(() => bridge?.stop());

    /** Programs that end in `done`. They return no promise from a callback: that would ask it for its `then`. */
    const programs: { [name: string]: string } = {
      digest: `then(crypto.subtle.digest("SHA-1", data), (hash) => { done(toNumbers(hash)); }, fail)`,
      "importKey, encrypt": `
      then(crypto.subtle.importKey("raw", raw, "AES-GCM", true, list("encrypt", "wrapKey")), (key) => {
        then(crypto.subtle.encrypt(own({ name: "AES-GCM", iv, additionalData: data, tagLength: 128 }), key, data),
          (cipher) => { done(toNumbers(cipher)); }, fail);
      }, fail)`,
      "importKey of a JWK, exportKey": `
      then(crypto.subtle.importKey("jwk", jwk, "AES-GCM", true, list("encrypt", "wrapKey")), (key) => {
        then(crypto.subtle.exportKey("raw", key), (out) => { done(toNumbers(out)); }, fail);
      }, fail)`,
      "wrapKey and unwrapKey as JWK": `
      const gcm = own({ name: "AES-GCM", iv, additionalData: data, tagLength: 128 });
      then(crypto.subtle.importKey("raw", raw, "AES-GCM", true, list("unwrapKey", "wrapKey")), (key) => {
        then(crypto.subtle.wrapKey("jwk", key, key, gcm), (wrapped) => {
          then(crypto.subtle.unwrapKey("jwk", wrapped, key, gcm, "AES-GCM", true, list("wrapKey", "unwrapKey")), (back) => {
            then(crypto.subtle.exportKey("raw", back), (out) => { done(toNumbers(wrapped) + toNumbers(out)); }, fail);
          }, fail);
        }, fail);
      }, fail)`,
      "generateKey, exportKey, sign, verify": `
      then(crypto.subtle.generateKey("Ed25519", true, list("sign", "verify")), (pair) => {
        const { publicKey, privateKey } = pair;
        then(crypto.subtle.exportKey("jwk", privateKey), (out) => {
          then(crypto.subtle.sign("Ed25519", privateKey, data), (signature) => {
            then(crypto.subtle.verify("Ed25519", publicKey, signature, data), (good) => { done(out.crv + good); }, fail);
          }, fail);
        }, fail);
      }, fail)`,
      deriveKey: `
      const hmac = own({ name: "HMAC", hash: "SHA-256", length: 64 });
      const hkdf = own({ name: "HKDF", hash: "SHA-256", salt: raw, info: data });
      then(crypto.subtle.importKey("raw", raw, "HKDF", false, list("deriveKey", "deriveBits")), (key) => {
        then(crypto.subtle.deriveKey(hkdf, key, hmac, true, list("sign", "verify")), (derived) => {
          then(crypto.subtle.exportKey("raw", derived), (out) => { done(toNumbers(out)); }, fail);
        }, fail);
      }, fail)`,
      "an error": `then(crypto.subtle.digest("none", data), fail, (error) => { done(error.code); })`,
      "text and base64": `done(new TextDecoder().decode(new TextEncoder().encode("é😀")) + atob(btoa("abc")))`,
      structuredClone: `done(structuredClone(5))`,
      getRandomValues: `done(crypto.getRandomValues(iv) === iv)`,
    };

    it.each(Object.keys(programs))(
      "%s uses nothing of it, and gives what it gives elsewhere",
      async (name) => {
        const observe = (poisoned: boolean) =>
          new Promise<{ value: string; leaks: string }>((resolve, reject) => {
            const realm = createLayerRealm(scripts, bridge);
            const start = realm.evaluate(`(report, refuse) => {
          ${POISON}
          ${OWN}
          const done = (value) => { const seen = leaks; report("" + value, seen); };
          const fail = (error) => { const seen = leaks; refuse(error.message + " after " + seen); };
          if (${poisoned}) poison();
          ${programs[name]!};
        }`) as (report: (value: string, leaks: string) => void, refuse: (message: string) => void) => void;
            start(
              (value, leaks) => resolve({ value, leaks }),
              (message) => reject(new Error(message)),
            );
          });
        const poisoned = await observe(true);
        const clean = await observe(false);
        expect(poisoned.value).toBe(clean.value);
        expect(poisoned.leaks).toBe("");
      },
    );
  },
);
