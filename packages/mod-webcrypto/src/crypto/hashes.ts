import type { HashName, NativeOps } from "../native-ops.ts";
import { bare } from "../realm/primordials.ts";
import type { Algorithm } from "./algorithm.ts";

interface HashFacts {
  /** What follows `HS`, `RS` and `PS` in a JWK's `alg`. */
  readonly jwkSuffix: string;
  readonly blockBits: number;
}

const FACTS: { readonly [hash: string]: HashFacts } = bare({
  "SHA-1": { jwkSuffix: "1", blockBits: 512 },
  "SHA-256": { jwkSuffix: "256", blockBits: 512 },
  "SHA-384": { jwkSuffix: "384", blockBits: 1024 },
  "SHA-512": { jwkSuffix: "512", blockBits: 1024 },
});

export function jwkSuffix(hash: string): string {
  return FACTS[hash]!.jwkSuffix;
}

export function blockBits(hash: string): number {
  return FACTS[hash]!.blockBits;
}

export function createHashes(ops: NativeOps): Algorithm[] {
  const hash = (name: HashName) => bare<Algorithm>({ name, digest: (data) => ops.digest(name, data) });
  return [hash("SHA-1"), hash("SHA-256"), hash("SHA-384"), hash("SHA-512")];
}
