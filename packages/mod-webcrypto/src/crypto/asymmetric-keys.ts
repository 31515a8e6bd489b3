import type { Bytes } from "../realm/bytes.ts";
import { bare } from "../realm/primordials.ts";
import type { CryptoKeyPair, KeyRequest } from "./algorithm.ts";
import { type KeyAlgorithm, makeKey } from "./crypto-key.ts";
import type { Usages } from "./key-usages.ts";

/** Which usages each half of a pair may have. */
export interface PairUsages {
  readonly public: Usages;
  readonly private: Usages;
}

export interface PairMaterial {
  readonly privateKey: Bytes;
  readonly publicKey: Bytes;
  /** Whether the private half keeps the public one, to export it. */
  readonly keepsPublic: boolean;
}

/** A generated pair: the public half is always extractable, and each gets its share of the usages. */
export function makeKeyPair(
  algorithm: KeyAlgorithm,
  material: PairMaterial,
  request: KeyRequest,
  allowed: PairUsages,
): CryptoKeyPair {
  const publicKey = makeKey(
    bare({
      type: "public" as const,
      algorithm,
      extractable: true,
      usages: request.usages & allowed.public,
      material: material.publicKey,
    }),
  );
  const privateKey = makeKey(
    bare({
      type: "private" as const,
      algorithm,
      extractable: request.extractable,
      usages: request.usages & allowed.private,
      material: material.privateKey,
      ...(material.keepsPublic ? { publicMaterial: material.publicKey } : {}),
    }),
  );
  return { publicKey, privateKey };
}
