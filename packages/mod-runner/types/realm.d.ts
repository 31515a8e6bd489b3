// The globals of a mod's realm besides those of the language: `"types": ["@codex-js/mod-runner/realm"]` in a
// tsconfig.json without "dom", or `codex-js-mod check`. No module, so that they are global; and apart from the
// types of hooks, so that a host can import those beside Node's globals.

/** A name, or a name with what the algorithm needs, as https://www.w3.org/TR/webcrypto/ has them. */
type CryptoAlgorithm = string | { readonly name: string; readonly [parameter: string]: unknown };
type KeyFormat = "raw" | "spki" | "pkcs8" | "jwk";
type KeyUsage =
  | "encrypt"
  | "decrypt"
  | "sign"
  | "verify"
  | "deriveKey"
  | "deriveBits"
  | "wrapKey"
  | "unwrapKey";
type BufferSource = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

interface CryptoKey {
  readonly type: "secret" | "private" | "public";
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: KeyUsage[];
}

interface CryptoKeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface SubtleCrypto {
  digest(algorithm: CryptoAlgorithm, data: BufferSource): Promise<ArrayBuffer>;
  encrypt(algorithm: CryptoAlgorithm, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  decrypt(algorithm: CryptoAlgorithm, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  sign(algorithm: CryptoAlgorithm, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  verify(
    algorithm: CryptoAlgorithm,
    key: CryptoKey,
    signature: BufferSource,
    data: BufferSource,
  ): Promise<boolean>;
  deriveBits(algorithm: CryptoAlgorithm, key: CryptoKey, length?: number | null): Promise<ArrayBuffer>;
  deriveKey(
    algorithm: CryptoAlgorithm,
    key: CryptoKey,
    derived: CryptoAlgorithm,
    extractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
  generateKey(
    algorithm: CryptoAlgorithm,
    extractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKey | CryptoKeyPair>;
  importKey(
    format: KeyFormat,
    key: BufferSource | object,
    algorithm: CryptoAlgorithm,
    extractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
  exportKey(format: "raw" | "spki" | "pkcs8", key: CryptoKey): Promise<ArrayBuffer>;
  exportKey(format: "jwk", key: CryptoKey): Promise<Record<string, unknown>>;
  wrapKey(
    format: KeyFormat,
    key: CryptoKey,
    wrappingKey: CryptoKey,
    algorithm: CryptoAlgorithm,
  ): Promise<ArrayBuffer>;
  unwrapKey(
    format: KeyFormat,
    wrapped: BufferSource,
    unwrappingKey: CryptoKey,
    algorithm: CryptoAlgorithm,
    unwrapped: CryptoAlgorithm,
    extractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
}

/** A line of text for each call, sent to the host. */
declare var console: {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  trace(...values: unknown[]): void;
};

declare var crypto: {
  readonly subtle: SubtleCrypto;
  getRandomValues<Values extends ArrayBufferView<ArrayBuffer>>(values: Values): Values;
  randomUUID(): string;
};

declare var TextEncoder: new () => { encode(text?: string): Uint8Array<ArrayBuffer> };
declare var TextDecoder: new (
  label?: string,
  options?: { fatal?: boolean; ignoreBOM?: boolean },
) => { decode(bytes?: BufferSource): string };
declare function atob(base64: string): string;
declare function btoa(binary: string): string;
declare function structuredClone<Value>(value: Value): Value;
