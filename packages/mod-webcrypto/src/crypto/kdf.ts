import type { HashName, NativeOps } from "../native-ops.ts";
import { type Bytes, lengthOf } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { bare, Uint8ArrayConstructor } from "../realm/primordials.ts";
import type { Algorithm, KeyRequest, KeySource, Params } from "./algorithm.ts";
import { type KeySlots, makeKey } from "./crypto-key.ts";
import { requireUsagesWithin, usagesOf } from "./key-usages.ts";
import { MAX_KEY_BITS } from "./limits.ts";
import type { ParamReaders } from "./read-params.ts";

const USAGES = usagesOf("deriveKey", "deriveBits");

export function createKdfs(ops: NativeOps, readers: ParamReaders): Algorithm[] {
  return [hkdf(ops, readers), pbkdf2(ops, readers)];
}

function hkdf(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement("HKDF"),
    params: bare({ deriveBits: readers.hkdf }),
    deriveBits: (params: Params, key: KeySlots, length: number | null) => {
      const bytes = derivedBytes(length);
      if (bytes === 0) {
        return new Uint8ArrayConstructor(0);
      }
      return ops.hkdf(params.hash as HashName, key.material, params.salt!, params.info!, bytes);
    },
  });
}

function pbkdf2(ops: NativeOps, readers: ParamReaders): Algorithm {
  return bare<Algorithm>({
    ...keyManagement("PBKDF2"),
    params: bare({ deriveBits: readers.pbkdf2 }),
    deriveBits: (params: Params, key: KeySlots, length: number | null) => {
      const bytes = derivedBytes(length);
      if (params.iterations === 0) {
        throw domException("OperationError", "PBKDF2 needs at least one iteration");
      }
      if (bytes === 0) {
        return new Uint8ArrayConstructor(0);
      }
      return ops.pbkdf2(params.hash as HashName, key.material, params.salt!, params.iterations!, bytes);
    },
  });
}

function derivedBytes(length: number | null): number {
  if (length === null || length % 8 !== 0 || length > MAX_KEY_BITS) {
    throw domException("OperationError", `the length must be a multiple of 8, at most ${MAX_KEY_BITS} bits`);
  }
  return length / 8;
}

function keyManagement(name: string) {
  return {
    name,
    importKey: (source: KeySource, _params: Params, request: KeyRequest) => {
      if (source.format !== "raw") {
        throw domException("NotSupportedError", `${name} keys have no ${source.format} format`);
      }
      requireUsagesWithin(request.usages, USAGES);
      if (request.extractable) {
        throw domException("SyntaxError", `${name} keys cannot be extractable`);
      }
      const material: Bytes = source.bytes;
      if (lengthOf(material) * 8 > MAX_KEY_BITS) {
        throw domException("DataError", `the key has more than ${MAX_KEY_BITS} bits`);
      }
      return makeKey(bare({ type: "secret" as const, algorithm: bare({ name }), material, ...request }));
    },
    getKeyLength: () => null,
  };
}
