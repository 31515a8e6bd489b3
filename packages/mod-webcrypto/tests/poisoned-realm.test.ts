import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOperationServer } from "./native/build-crate.ts";
import { type NativeBridge, startNativeBridge } from "./native/native-bridge.ts";
import { bundleLayer, createLayerRealm } from "./realm/test-realm.ts";

const BUILD_MS = 600_000;

/**
 * Replaces what a mod can replace, each with something that notes that it was used. `leaks` lists the uses;
 * the test's own code keeps what it needs from before.
 */
const POISON = `
  const leaks = [];
  const { defineProperty, getOwnPropertyNames, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const thenOf = Promise.prototype.then;
  const callOf = Function.prototype.call;
  const then = callOf.bind(thenOf);
  const stringify = JSON.stringify;
  const toNumbers = (buffer) => { const text = []; const bytes = new Uint8Array(buffer); let n = 0;
    for (; n < bytes.length; n += 1) text[n] = bytes[n]; return text; };
  const expected = { view: Uint8Array, encoder: new TextEncoder() };
  const note = (name) => function () { leaks[leaks.length] = name; throw new Error("poisoned " + name); };
  const kept = new Set(["constructor", "toString", "valueOf"]);
  const targets = { Array, Map, Set, WeakMap, String, Number, RegExp, Date, ArrayBuffer, DataView, Promise,
    TypedArray: getPrototypeOf(Uint8Array), Uint8Array, Error };
  const poison = () => {
    for (const name of Object.keys(targets)) {
      const prototype = targets[name].prototype;
      for (const key of [...getOwnPropertyNames(prototype), Symbol.iterator, Symbol.toStringTag]) {
        const found = getOwnPropertyDescriptor(prototype, key);
        if (found === undefined || !found.configurable || kept.has(key)) continue;
        const label = name + "." + String(key);
        defineProperty(prototype, key, typeof found.value === "function"
          ? { value: note(label) } : found.get ? { get: note(label) } : {});
      }
    }
    const members = ["name", "hash", "length", "iv", "encrypt", "decrypt", "sign", "importKey", "exportKey",
      "wrapKey", "unwrapKey", "deriveBits", "getKeyLength", "params", "material", "publicMaterial", "usages",
      "type", "k", "d", "x", "kty", "alg", "ext", "oth", "use", "key_ops", "toJSON", "value", "get", "set", "0", "1"];
    for (const member of members) {
      defineProperty(Object.prototype, member, { configurable: true,
        get() { leaks[leaks.length] = "get Object." + member; return undefined; },
        set() { leaks[leaks.length] = "set Object." + member; } });
    }
    for (const owner of [Array, Object, Reflect, JSON, Math, Number, String, ArrayBuffer, Symbol, Promise]) {
      for (const key of getOwnPropertyNames(owner)) {
        const found = getOwnPropertyDescriptor(owner, key);
        if (typeof found.value === "function" && found.configurable && key !== "prototype") {
          defineProperty(owner, key, { value: note("static " + key), writable: true, configurable: true });
        }
      }
    }
    for (const name of ["Uint8Array", "Promise", "TypeError", "Error", "Map", "Symbol", "TextEncoder", "DOMException"]) {
      defineProperty(globalThis, name, { value: note("global " + name), writable: true, configurable: true });
    }
  };`;

/** Own members only, so that what the standard reads from a mod's own objects is not what is noted. */
const OWN = `
  const own = (object) => { object.__proto__ = null; return object; };
  const iv = new Uint8Array(12), data = new Uint8Array(5), raw = new Uint8Array(16);
  const list = (first, second) => own({ [Symbol.iterator]: () => own({ count: 0, next() {
    this.count += 1;
    return own(this.count > 2 ? { done: true } : { done: false, value: this.count === 1 ? first : second });
  } }) });
  const jwk = own({ kty: "oct", k: "AAAAAAAAAAAAAAAAAAAAAA", alg: "A128GCM", ext: true, use: "enc", crv: undefined, d: undefined, dp: undefined,
    dq: undefined, e: undefined, key_ops: undefined, n: undefined, oth: undefined, p: undefined, q: undefined, qi: undefined, x: undefined, y: undefined });`;

describe("a realm whose mod has replaced everything", () => {
  let bridge: NativeBridge;
  let script: string;

  beforeAll(async () => {
    bridge = startNativeBridge(await buildOperationServer());
    script = await bundleLayer();
  }, BUILD_MS);

  afterAll(() => bridge?.stop());

  const programs: { [name: string]: { run: string; result: string } } = {
    digest: { run: `crypto.subtle.digest("SHA-1", data)`, result: "toNumbers(value)" },
    "importKey, encrypt": {
      run: `then(crypto.subtle.importKey("raw", raw, "AES-GCM", true, list("encrypt", "wrapKey")), (key) =>
        crypto.subtle.encrypt(own({ name: "AES-GCM", iv }), key, data))`,
      result: "toNumbers(value)",
    },
    "importKey of a JWK, exportKey": {
      run: `then(crypto.subtle.importKey("jwk", jwk, "AES-GCM", true, list("encrypt", "wrapKey")), (key) =>
        crypto.subtle.exportKey("raw", key))`,
      result: "toNumbers(value)",
    },
    "wrapKey and unwrapKey as JWK": {
      run: `then(crypto.subtle.importKey("raw", raw, "AES-GCM", true, list("unwrapKey", "wrapKey")), (key) =>
        then(crypto.subtle.wrapKey("jwk", key, key, own({ name: "AES-GCM", iv })), (wrapped) =>
          then(crypto.subtle.unwrapKey("jwk", wrapped, key, own({ name: "AES-GCM", iv }), "AES-GCM", true, list("wrapKey", "wrapKey")),
            (back) => crypto.subtle.exportKey("raw", back))))`,
      result: "toNumbers(value)",
    },
    "generateKey, sign, verify": {
      run: `then(crypto.subtle.generateKey("Ed25519", false, list("sign", "verify")), (pair) =>
        then(crypto.subtle.sign("Ed25519", pair.privateKey, data), (signature) =>
          crypto.subtle.verify("Ed25519", pair.publicKey, signature, data)))`,
      result: "value",
    },
    "an error": { run: `then(crypto.subtle.digest("none", data), undefined, (error) => error.code)`, result: "value" },
    "text and base64": {
      run: `own({ text: new Decoder().decode(new Encoder().encode("é😀")) + atob(btoa("abc")) })`,
      result: "value.text",
    },
    structuredClone: { run: `own({ clone: structuredClone(5) })`, result: "value.clone" },
    getRandomValues: { run: `own({ same: crypto.getRandomValues(iv) === iv })`, result: "value.same" },
  };

  it.each(Object.keys(programs))("%s uses nothing of it, and gives what it gives elsewhere", async (name) => {
    const { run, result } = programs[name]!;
    const observe = (poisoned: boolean) =>
      new Promise<{ value: string; leaks: string }>((resolve, reject) => {
        const realm = createLayerRealm(script, bridge);
        const start = realm.evaluate(`(report, fail) => {
          ${POISON}
          const Decoder = TextDecoder, Encoder = TextEncoder;
          ${OWN}
          const resolved = Promise.resolve.bind(Promise);
          if (${poisoned}) poison();
          let started;
          try { started = ${run}; } catch (error) { return fail(error.message + " " + leaks.length + ":" + leaks[leaks.length - 1]); }
          const done = (value) => report(stringify(${result}), stringify(own({ leaks: leaks.length, last: leaks[leaks.length - 1] ?? null })));
          started.__proto__ === undefined ? done(started) : then(started, done, (error) => fail(error.message + " " + leaks[leaks.length - 1]));
        }`) as (report: (value: string, leaks: string) => void, fail: (message: string) => void) => void;
        start(
          (value, leaks) => resolve({ value, leaks }),
          (message) => reject(new Error(message)),
        );
      });
    const poisoned = await observe(true);
    const clean = await observe(false);
    expect(poisoned.value).toBe(clean.value);
    expect(JSON.parse(poisoned.leaks)).toEqual({ leaks: 0, last: null });
  });
});
