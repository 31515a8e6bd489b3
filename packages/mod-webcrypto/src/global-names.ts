/** The globals of this layer. */
export const GLOBAL_NAMES = [
  "Crypto",
  "CryptoKey",
  "DOMException",
  "SubtleCrypto",
  "TextDecoder",
  "TextEncoder",
  "atob",
  "btoa",
  "crypto",
  "structuredClone",
] as const;

/** A value for each, on an object without a prototype. */
export type Globals = Readonly<Record<(typeof GLOBAL_NAMES)[number], unknown>>;
