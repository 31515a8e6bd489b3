/**
 * Makes what crypto code of a mod finds in its realm: `crypto`, TextEncoder and TextDecoder, `atob`, `btoa`,
 * `structuredClone`, and the classes that belong to them.
 *
 * It runs when a mod uses one of them for the first time, so its top level too lives by the rule of
 * {@link ./realm/primordials.ts}: by then the mod may have replaced everything.
 */
import { createStructuredClone, type HasHiddenState } from "./clone/structured-clone.ts";
import { createCrypto } from "./crypto/crypto.ts";
import { CryptoKey } from "./crypto/crypto-key.ts";
import { atob, btoa } from "./encoding/base64.ts";
import { TextDecoder } from "./encoding/text-decoder.ts";
import { TextEncoder } from "./encoding/text-encoder.ts";
import type { Globals } from "./global-names.ts";
import { createNativeOps, type NativeCall } from "./native-ops.ts";
import { DOMException } from "./realm/dom-exception.ts";
import { shapeInterface } from "./realm/interface.ts";
import { bare } from "./realm/primordials.ts";

/** What the layer needs of the realm's host. */
export interface LayerHost {
  readonly call: NativeCall;
  readonly hasHiddenState: HasHiddenState;
}

export function createGlobals(host: LayerHost): Globals {
  const { Crypto, SubtleCrypto, crypto } = createCrypto(createNativeOps(host.call));
  const structuredClone = createStructuredClone(host.hasHiddenState);
  shapeInterface(DOMException);
  return bare({
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
  });
}
