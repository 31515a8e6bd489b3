/**
 * What crypto code of a mod finds in its realm: `crypto`, TextEncoder and TextDecoder, `atob`, `btoa`,
 * `structuredClone`, and the classes that belong to them.
 *
 * Load this before any mod runs: it captures the intrinsics of its realm while they can be trusted. It
 * needs nothing but ECMAScript and the host's two functions.
 */
import { createStructuredClone, type HasHiddenState } from "./clone/structured-clone.ts";
import { createCrypto } from "./crypto/crypto.ts";
import { CryptoKey } from "./crypto/crypto-key.ts";
import { atob, btoa } from "./encoding/base64.ts";
import { TextDecoder } from "./encoding/text-decoder.ts";
import { TextEncoder } from "./encoding/text-encoder.ts";
import { createNativeOps, type NativeCall } from "./native-ops.ts";
import { DOMException } from "./realm/dom-exception.ts";
import { shapeInterface } from "./realm/interface.ts";

export type { HasHiddenState } from "./clone/structured-clone.ts";
export type { NativeCall } from "./native-ops.ts";

/** What the realm's host provides. */
export interface Host {
  readonly call: NativeCall;
  readonly hasHiddenState: HasHiddenState;
}

/** Defines the globals on `target`, as a browser would: not enumerable, replaceable. */
export function install(target: object, host: Host): void {
  const { Crypto, SubtleCrypto, crypto } = createCrypto(createNativeOps(host.call));
  const structuredClone = createStructuredClone(host.hasHiddenState);
  shapeInterface(DOMException);
  const globals = {
    Crypto,
    CryptoKey,
    DOMException,
    SubtleCrypto,
    TextDecoder,
    TextEncoder,
    atob,
    btoa,
    crypto,
    structuredClone,
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
  }
}
