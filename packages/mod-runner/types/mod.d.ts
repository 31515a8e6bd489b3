/**
 * For authors of mods: what a hook gets, and what there is in a mod's realm. Types alone; there is nothing
 * to import at run time: `import type { Hook } from "@codex-js/mod-runner/mod";`
 *
 * @packageDocumentation
 */

/** What goes in and comes out of a mod. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** The second argument of every hook: what the mod may ask of its host. */
export interface Host {
  /**
   * Waits for `ms` milliseconds, and for as long as the budget lasts at most. Needs no grant.
   */
  call(operation: "time.sleep", input: { ms: number }): Promise<null>;
  /**
   * Asks the host for something that the manifest's `grants` name. What comes back is the host's to say;
   * `Output` is what the mod expects.
   * @throws HostError - `host_operation_denied` without a grant, `host_operation_failed`, or the host's code
   */
  call<Output = JsonValue>(operation: string, input?: unknown): Promise<Output>;
}

/** What a promise of {@link Host.call} is rejected with. */
export interface HostError extends Error {
  name: "HostError";
  code: string;
}

/**
 * A function that a host calls. It returns JSON or a promise of it; `undefined` becomes `null`. It has no
 * event loop: nothing but {@link Host.call} can take time.
 */
export type Hook<Input = unknown, Output = unknown> = (input: Input, host: Host) => Output | Promise<Output>;

/** A name, or a name with what the algorithm needs, as https://www.w3.org/TR/webcrypto/ has them. */
export type CryptoAlgorithm = string | { readonly name: string; readonly [parameter: string]: unknown };
export type KeyFormat = "raw" | "spki" | "pkcs8" | "jwk";
export type KeyUsage =
  | "encrypt"
  | "decrypt"
  | "sign"
  | "verify"
  | "deriveKey"
  | "deriveBits"
  | "wrapKey"
  | "unwrapKey";
export type BufferSource = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

export interface CryptoKey {
  readonly type: "secret" | "private" | "public";
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: KeyUsage[];
}

export interface CryptoKeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export interface SubtleCrypto {
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

declare global {
  /** A line of text for each call, sent to the host. */
  var console: {
    debug(...values: unknown[]): void;
    log(...values: unknown[]): void;
    info(...values: unknown[]): void;
    warn(...values: unknown[]): void;
    error(...values: unknown[]): void;
    trace(...values: unknown[]): void;
  };

  var crypto: {
    readonly subtle: SubtleCrypto;
    getRandomValues<Values extends ArrayBufferView<ArrayBuffer>>(values: Values): Values;
    randomUUID(): string;
  };

  var TextEncoder: new () => { encode(text?: string): Uint8Array<ArrayBuffer> };
  var TextDecoder: new (
    label?: string,
    options?: { fatal?: boolean; ignoreBOM?: boolean },
  ) => { decode(bytes?: BufferSource): string };
  function atob(base64: string): string;
  function btoa(binary: string): string;
  function structuredClone<Value>(value: Value): Value;
}
