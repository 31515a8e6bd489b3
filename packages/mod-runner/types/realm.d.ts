// The globals of a mod's realm: `"types": ["@codex-js/mod-runner/realm"]` in a tsconfig.json without "dom", or
// `codex-js-mod check`. No module, so that they are global; and apart from the types of hooks, so that a host can
// import those beside Node's globals. Names and overloads of Web Crypto are those of TypeScript's "dom", so that
// code written for a browser compiles here too; a test compares all of it with a real realm.

// What the realm's engine has of the language's library.
/// <reference lib="es2025" />
/// <reference lib="esnext.array" />
/// <reference lib="esnext.collection" />
/// <reference lib="esnext.date" />
/// <reference lib="esnext.disposable" />
/// <reference lib="esnext.error" />
/// <reference lib="esnext.intl" />
/// <reference lib="esnext.sharedmemory" />
/// <reference lib="esnext.temporal" />
/// <reference lib="esnext.typedarrays" />

interface ErrorConstructor {
  /** Gives `target` a `stack` that begins with the caller of `above`. */
  captureStackTrace(target: object, above?: CallableFunction | NewableFunction): void;
  /** Calls that a stack tells at most. */
  stackTraceLimit: number;
}

/** Each call is one line of text for the host, of at most 16 KiB. */
interface Console {
  debug(...values: unknown[]): void;
  /** The same as `info`. */
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  /** The same as `debug`: there is no stack. */
  trace(...values: unknown[]): void;
}
declare var console: Console;

// Bytes and texts, as https://encoding.spec.whatwg.org/ and https://webidl.spec.whatwg.org/ have them.

type BufferSource = ArrayBuffer | ArrayBufferView<ArrayBuffer>;
type AllowSharedBufferSource = ArrayBufferLike | ArrayBufferView<ArrayBufferLike>;

interface TextEncoderEncodeIntoResult {
  /** UTF-16 code units of the text. */
  read: number;
  /** Bytes. */
  written: number;
}

interface TextEncoder {
  /** `utf-8` */
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  /** Writes as much of `text` as there is room for; half a character is never written. */
  encodeInto(text: string, destination: Uint8Array<ArrayBufferLike>): TextEncoderEncodeIntoResult;
}
declare var TextEncoder: { readonly prototype: TextEncoder; new (): TextEncoder };

interface TextDecoderOptions {
  /** Bytes that are no text are a TypeError; otherwise each becomes U+FFFD. */
  fatal?: boolean;
  /** A byte order mark is a part of the text. */
  ignoreBOM?: boolean;
}

interface TextDecodeOptions {
  /** More bytes follow: half a character at the end is kept for them. */
  stream?: boolean;
}

interface TextDecoder {
  /** In lower case. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: AllowSharedBufferSource, options?: TextDecodeOptions): string;
}
declare var TextDecoder: {
  readonly prototype: TextDecoder;
  /**
   * @param label - one of UTF-8, UTF-16 or windows-1252 (default `utf-8`)
   * @throws RangeError for every other encoding
   */
  new (label?: string, options?: TextDecoderOptions): TextDecoder;
};

/** @throws DOMException InvalidCharacterError */
declare function atob(base64: string): string;
/** @throws DOMException InvalidCharacterError for a character above U+00FF */
declare function btoa(binary: string): string;

/** What can change its realm with {@link structuredClone}. */
type Transferable = ArrayBuffer;
interface StructuredSerializeOptions {
  transfer?: Iterable<Transferable>;
}
/** @throws DOMException DataCloneError for functions, symbols, promises, proxies and the like */
declare function structuredClone<Value>(value: Value, options?: StructuredSerializeOptions): Value;

/** What Web Crypto, `atob` and {@link structuredClone} fail with; told apart by its `name`. */
interface DOMException extends Error, DOMExceptionCodes {
  readonly name: string;
  readonly message: string;
  /** The number of an old name, else 0. */
  readonly code: number;
}
declare var DOMException: DOMExceptionCodes & {
  readonly prototype: DOMException;
  new (message?: string, name?: string): DOMException;
};
interface DOMExceptionCodes {
  readonly INDEX_SIZE_ERR: 1;
  readonly DOMSTRING_SIZE_ERR: 2;
  readonly HIERARCHY_REQUEST_ERR: 3;
  readonly WRONG_DOCUMENT_ERR: 4;
  readonly INVALID_CHARACTER_ERR: 5;
  readonly NO_DATA_ALLOWED_ERR: 6;
  readonly NO_MODIFICATION_ALLOWED_ERR: 7;
  readonly NOT_FOUND_ERR: 8;
  readonly NOT_SUPPORTED_ERR: 9;
  readonly INUSE_ATTRIBUTE_ERR: 10;
  readonly INVALID_STATE_ERR: 11;
  readonly SYNTAX_ERR: 12;
  readonly INVALID_MODIFICATION_ERR: 13;
  readonly NAMESPACE_ERR: 14;
  readonly INVALID_ACCESS_ERR: 15;
  readonly VALIDATION_ERR: 16;
  readonly TYPE_MISMATCH_ERR: 17;
  readonly SECURITY_ERR: 18;
  readonly NETWORK_ERR: 19;
  readonly ABORT_ERR: 20;
  readonly URL_MISMATCH_ERR: 21;
  readonly QUOTA_EXCEEDED_ERR: 22;
  readonly TIMEOUT_ERR: 23;
  readonly INVALID_NODE_TYPE_ERR: 24;
  readonly DATA_CLONE_ERR: 25;
}

// Web Crypto, as https://www.w3.org/TR/webcrypto/ has it. Which algorithms there are is in the README.

interface Algorithm {
  name: string;
}
type AlgorithmIdentifier = Algorithm | string;
/** `SHA-1`, `SHA-256`, `SHA-384` or `SHA-512`. */
type HashAlgorithmIdentifier = AlgorithmIdentifier;
/** `P-256`, `P-384` or `P-521`. */
type NamedCurve = string;
/** The most significant byte first. */
type BigInteger = Uint8Array<ArrayBuffer>;

type KeyFormat = "raw" | "spki" | "pkcs8" | "jwk";
type KeyType = "secret" | "private" | "public";
type KeyUsage =
  | "encrypt"
  | "decrypt"
  | "sign"
  | "verify"
  | "deriveKey"
  | "deriveBits"
  | "wrapKey"
  | "unwrapKey";

interface AesCtrParams extends Algorithm {
  /** 16 bytes. */
  counter: BufferSource;
  /** Bits of the counter that count, 1 to 128. */
  length: number;
}
interface AesCbcParams extends Algorithm {
  /** 16 bytes. */
  iv: BufferSource;
}
interface AesGcmParams extends Algorithm {
  iv: BufferSource;
  additionalData?: BufferSource;
  /** Bits: 32, 64, 96, 104, 112, 120 or 128 (the default). */
  tagLength?: number;
}
interface RsaOaepParams extends Algorithm {
  label?: BufferSource;
}
interface RsaPssParams extends Algorithm {
  /** Bytes. */
  saltLength: number;
}
interface EcdsaParams extends Algorithm {
  hash: HashAlgorithmIdentifier;
}
/** ECDH and X25519. */
interface EcdhKeyDeriveParams extends Algorithm {
  /** The other side's. */
  public: CryptoKey;
}
interface HkdfParams extends Algorithm {
  hash: HashAlgorithmIdentifier;
  salt: BufferSource;
  info: BufferSource;
}
interface Pbkdf2Params extends Algorithm {
  hash: HashAlgorithmIdentifier;
  salt: BufferSource;
  iterations: number;
}

interface AesKeyGenParams extends Algorithm {
  /** Bits: 128, 192 or 256. */
  length: number;
}
interface HmacKeyGenParams extends Algorithm {
  hash: HashAlgorithmIdentifier;
  /** Bits; by default a block of the hash. */
  length?: number;
}
interface RsaKeyGenParams extends Algorithm {
  /** Bits. */
  modulusLength: number;
  publicExponent: BigInteger;
}
interface RsaHashedKeyGenParams extends RsaKeyGenParams {
  hash: HashAlgorithmIdentifier;
}
interface EcKeyGenParams extends Algorithm {
  namedCurve: NamedCurve;
}

interface HmacImportParams extends Algorithm {
  hash: HashAlgorithmIdentifier;
  /** Bits; by default all that there are. */
  length?: number;
}
interface RsaHashedImportParams extends Algorithm {
  hash: HashAlgorithmIdentifier;
}
interface EcKeyImportParams extends Algorithm {
  namedCurve: NamedCurve;
}
interface AesDerivedKeyParams extends Algorithm {
  /** Bits: 128, 192 or 256. */
  length: number;
}

/** What {@link CryptoKey.algorithm} is; what more it has depends on the algorithm, as the following say. */
interface KeyAlgorithm {
  name: string;
}
interface AesKeyAlgorithm extends KeyAlgorithm {
  /** Bits. */
  length: number;
}
interface HmacKeyAlgorithm extends KeyAlgorithm {
  hash: KeyAlgorithm;
  /** Bits. */
  length: number;
}
interface RsaKeyAlgorithm extends KeyAlgorithm {
  /** Bits. */
  modulusLength: number;
  publicExponent: BigInteger;
}
interface RsaHashedKeyAlgorithm extends RsaKeyAlgorithm {
  hash: KeyAlgorithm;
}
interface EcKeyAlgorithm extends KeyAlgorithm {
  namedCurve: NamedCurve;
}

interface RsaOtherPrimesInfo {
  r?: string;
  d?: string;
  t?: string;
}
/** https://www.rfc-editor.org/rfc/rfc7517; bytes are base64url. */
interface JsonWebKey {
  kty?: string;
  use?: string;
  key_ops?: string[];
  alg?: string;
  ext?: boolean;
  crv?: string;
  x?: string;
  y?: string;
  d?: string;
  n?: string;
  e?: string;
  p?: string;
  q?: string;
  dp?: string;
  dq?: string;
  qi?: string;
  /** A key with more than two primes is refused. */
  oth?: RsaOtherPrimesInfo[];
  k?: string;
}

interface CryptoKey {
  readonly type: KeyType;
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithm;
  readonly usages: KeyUsage[];
}
/** For `instanceof`: keys come from {@link SubtleCrypto} alone. */
declare var CryptoKey: { readonly prototype: CryptoKey } & (abstract new () => CryptoKey);

interface CryptoKeyPair {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Every method's promise is rejected with a {@link DOMException}, or a TypeError for an argument of a wrong kind. */
interface SubtleCrypto {
  digest(algorithm: AlgorithmIdentifier, data: BufferSource): Promise<ArrayBuffer>;

  encrypt(
    algorithm: AlgorithmIdentifier | AesCtrParams | AesCbcParams | AesGcmParams | RsaOaepParams,
    key: CryptoKey,
    data: BufferSource,
  ): Promise<ArrayBuffer>;
  decrypt(
    algorithm: AlgorithmIdentifier | AesCtrParams | AesCbcParams | AesGcmParams | RsaOaepParams,
    key: CryptoKey,
    data: BufferSource,
  ): Promise<ArrayBuffer>;

  sign(
    algorithm: AlgorithmIdentifier | RsaPssParams | EcdsaParams,
    key: CryptoKey,
    data: BufferSource,
  ): Promise<ArrayBuffer>;
  verify(
    algorithm: AlgorithmIdentifier | RsaPssParams | EcdsaParams,
    key: CryptoKey,
    signature: BufferSource,
    data: BufferSource,
  ): Promise<boolean>;

  /** A pair for algorithms with a public key, one key for the others. */
  generateKey(
    algorithm: "Ed25519" | { name: "Ed25519" },
    extractable: boolean,
    usages: Iterable<"sign" | "verify">,
  ): Promise<CryptoKeyPair>;
  generateKey(
    algorithm: "X25519" | { name: "X25519" },
    extractable: boolean,
    usages: Iterable<"deriveKey" | "deriveBits">,
  ): Promise<CryptoKeyPair>;
  generateKey(
    algorithm: RsaHashedKeyGenParams | EcKeyGenParams,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKeyPair>;
  generateKey(
    algorithm: AesKeyGenParams | HmacKeyGenParams,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKey>;
  generateKey(
    algorithm: AlgorithmIdentifier,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKey | CryptoKeyPair>;

  deriveBits(
    algorithm: AlgorithmIdentifier | EcdhKeyDeriveParams | HkdfParams | Pbkdf2Params,
    baseKey: CryptoKey,
    /** Bits; without it as many as the algorithm has. */
    length?: number | null,
  ): Promise<ArrayBuffer>;
  deriveKey(
    algorithm: AlgorithmIdentifier | EcdhKeyDeriveParams | HkdfParams | Pbkdf2Params,
    baseKey: CryptoKey,
    derivedKey: AlgorithmIdentifier | AesDerivedKeyParams | HmacImportParams | HkdfParams | Pbkdf2Params,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKey>;

  importKey(
    format: "jwk",
    key: JsonWebKey,
    algorithm:
      | AlgorithmIdentifier
      | RsaHashedImportParams
      | EcKeyImportParams
      | HmacImportParams
      | AesKeyAlgorithm,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKey>;
  importKey(
    format: Exclude<KeyFormat, "jwk">,
    key: BufferSource,
    algorithm:
      | AlgorithmIdentifier
      | RsaHashedImportParams
      | EcKeyImportParams
      | HmacImportParams
      | AesKeyAlgorithm,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKey>;

  exportKey(format: "jwk", key: CryptoKey): Promise<JsonWebKey>;
  exportKey(format: Exclude<KeyFormat, "jwk">, key: CryptoKey): Promise<ArrayBuffer>;
  exportKey(format: KeyFormat, key: CryptoKey): Promise<ArrayBuffer | JsonWebKey>;

  wrapKey(
    format: KeyFormat,
    key: CryptoKey,
    wrappingKey: CryptoKey,
    algorithm: AlgorithmIdentifier | AesCtrParams | AesCbcParams | AesGcmParams | RsaOaepParams,
  ): Promise<ArrayBuffer>;
  unwrapKey(
    format: KeyFormat,
    wrapped: BufferSource,
    unwrappingKey: CryptoKey,
    algorithm: AlgorithmIdentifier | AesCtrParams | AesCbcParams | AesGcmParams | RsaOaepParams,
    unwrappedKey:
      | AlgorithmIdentifier
      | RsaHashedImportParams
      | EcKeyImportParams
      | HmacImportParams
      | AesKeyAlgorithm,
    extractable: boolean,
    usages: Iterable<KeyUsage>,
  ): Promise<CryptoKey>;
}
/** For `instanceof`: the one that there is is `crypto.subtle`. */
declare var SubtleCrypto: { readonly prototype: SubtleCrypto } & (abstract new () => SubtleCrypto);

interface Crypto {
  readonly subtle: SubtleCrypto;
  /**
   * Fills an array of integers, and returns it.
   * @throws DOMException QuotaExceededError above 65,536 bytes
   */
  getRandomValues<Values extends ArrayBufferView<ArrayBuffer>>(values: Values): Values;
  /** Version 4, in lower case. */
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
}
/** For `instanceof`: the one that there is is `crypto`. */
declare var Crypto: { readonly prototype: Crypto } & (abstract new () => Crypto);
declare var crypto: Crypto;
