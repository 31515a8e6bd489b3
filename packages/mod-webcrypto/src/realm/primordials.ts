/**
 * The intrinsics as they were when the realm was made.
 *
 * A mod may replace or poison every global and every prototype of its realm. Code that runs after a mod
 * therefore never looks anything up there: no method call on a value, no iteration, no getter that a
 * prototype could answer. It uses what this module captured, indexes, and objects without a prototype.
 */

type Method = (this: never, ...args: never[]) => unknown;
type Uncurried<F extends Method> = F extends (this: infer T, ...args: infer A) => infer R
  ? (self: T, ...args: A) => R
  : never;

const { apply: reflectApply } = Reflect;
const { bind, call } = Function.prototype;

/** `uncurryThis(f)(self, a)` is `f.call(self, a)` without looking `call` up. */
const uncurryThis = bind.bind(call) as unknown as <F extends Method>(method: F) => Uncurried<F>;

function getterOf<T, R>(prototype: object, key: PropertyKey): (self: T) => R {
  const getter = Reflect.getOwnPropertyDescriptor(prototype, key)?.get;
  if (getter === undefined) {
    throw new TypeError(`no getter for ${String(key)}`);
  }
  return uncurryThis(getter) as unknown as (self: T) => R;
}

export const apply = reflectApply;
export const PromiseConstructor = Promise;
export const TypeErrorConstructor = TypeError;
export const RangeErrorConstructor = RangeError;
export const ErrorConstructor = Error;
export const captureStackTrace = (Error as { captureStackTrace?: (target: object, from: unknown) => void })
  .captureStackTrace;

export const Uint8ArrayConstructor = Uint8Array;
export const ArrayBufferConstructor = ArrayBuffer;
export const DataViewConstructor = DataView;
export const arrayBufferIsView = ArrayBuffer.isView;

const typedArrayPrototype = Reflect.getPrototypeOf(Uint8Array.prototype) as object;
/** `Uint8Array`, `Float64Array` …, or undefined for everything that is no typed array. */
export const typedArrayKind = getterOf<unknown, string | undefined>(typedArrayPrototype, Symbol.toStringTag);
type TypedArrayConstructor = new (buffer: ArrayBuffer, offset: number, length: number) => object;
/** Those that this engine has, by name. */
export const typedArrayConstructors = {
  __proto__: null,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  // Newer than the oldest engine that this runs on.
  Float16Array: (globalThis as { Float16Array?: TypedArrayConstructor }).Float16Array,
} as unknown as { readonly [kind: string]: TypedArrayConstructor };
export const typedArrayBuffer = getterOf<unknown, ArrayBufferLike>(typedArrayPrototype, "buffer");
export const typedArrayByteOffset = getterOf<unknown, number>(typedArrayPrototype, "byteOffset");
export const typedArrayByteLength = getterOf<unknown, number>(typedArrayPrototype, "byteLength");
export const typedArrayLength = getterOf<unknown, number>(typedArrayPrototype, "length");
export const typedArraySet = uncurryThis(Uint8Array.prototype.set) as (
  self: Uint8Array,
  source: Uint8Array,
  offset?: number,
) => void;

/** Throws for a typed array whose buffer is detached or too short for it. */
export const typedArrayAt = uncurryThis(Uint8Array.prototype.at) as (self: unknown, index: number) => unknown;

export const dataViewBuffer = getterOf<unknown, ArrayBufferLike>(DataView.prototype, "buffer");
export const dataViewByteOffset = getterOf<unknown, number>(DataView.prototype, "byteOffset");
export const dataViewByteLength = getterOf<unknown, number>(DataView.prototype, "byteLength");

/** Throws for everything that is no ArrayBuffer, a shared one included. */
export const arrayBufferByteLength = getterOf<unknown, number>(ArrayBuffer.prototype, "byteLength");
export const arrayBufferResizable = getterOf<unknown, boolean>(ArrayBuffer.prototype, "resizable");
export const arrayBufferMaxByteLength = getterOf<unknown, number>(ArrayBuffer.prototype, "maxByteLength");
export const arrayBufferDetached = getterOf<unknown, boolean>(ArrayBuffer.prototype, "detached");
export const arrayBufferTransfer = uncurryThis(ArrayBuffer.prototype.transfer) as (
  self: ArrayBuffer,
) => ArrayBuffer;

/** Throws for everything that is no SharedArrayBuffer. */
export const sharedBufferByteLength = getterOf<unknown, number>(SharedArrayBuffer.prototype, "byteLength");

export const objectKeys = Object.keys;
export const setPrototypeOf = Reflect.setPrototypeOf;
export const defineProperty = Reflect.defineProperty;
export const getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor;
export const getOwnPropertyNames = Object.getOwnPropertyNames;
export const hasOwn = Object.hasOwn;
export const isArray = Array.isArray;
export const ArrayConstructor = Array;

export const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
export const symbolToStringTag: typeof Symbol.toStringTag = Symbol.toStringTag;
export const numberIsFinite = Number.isFinite;
export const mathTrunc = Math.trunc;
export const mathFloor = Math.floor;

export const stringCharCodeAt = uncurryThis(String.prototype.charCodeAt);
export const stringSlice = uncurryThis(String.prototype.slice);
export const fromCharCode = String.fromCharCode;
export const jsonParse = JSON.parse as (text: string) => unknown;

export const errorConstructors = {
  __proto__: null,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
} as unknown as { readonly [name: string]: new () => Error };
export const errorIsError = (Error as { isError?: (value: unknown) => boolean }).isError;
export const DateConstructor = Date;
export const dateGetTime = uncurryThis(Date.prototype.getTime) as (self: unknown) => number;
export const RegExpConstructor = RegExp;
/** Throws for everything that is no regular expression, but for `RegExp.prototype`. */
export const regExpSource = getterOf<unknown, string>(RegExp.prototype, "source");
export const booleanValueOf = uncurryThis(Boolean.prototype.valueOf) as (self: unknown) => boolean;
export const numberValueOf = uncurryThis(Number.prototype.valueOf) as (self: unknown) => number;
export const stringValueOf = uncurryThis(String.prototype.valueOf) as (self: unknown) => string;
export const bigIntValueOf = uncurryThis(BigInt.prototype.valueOf) as (self: unknown) => bigint;
export const symbolValueOf = uncurryThis(Symbol.prototype.valueOf) as (self: unknown) => symbol;
/** Throws for everything that is no WeakRef. */
export const weakRefDeref = uncurryThis(WeakRef.prototype.deref) as (self: unknown) => unknown;
export const ObjectConstructor = Object;
export const objectToString = uncurryThis(Object.prototype.toString) as (self: unknown) => string;

const REGEXP_FLAGS: readonly (readonly [property: keyof RegExp, letter: string])[] = [
  ["hasIndices", "d"],
  ["global", "g"],
  ["ignoreCase", "i"],
  ["multiline", "m"],
  ["dotAll", "s"],
  ["unicode", "u"],
  ["unicodeSets" as keyof RegExp, "v"],
  ["sticky", "y"],
];
const regExpFlagGetters = REGEXP_FLAGS.map(([property]) =>
  getterOf<unknown, boolean>(RegExp.prototype, property),
);

export function regExpFlags(value: unknown): string {
  let flags = "";
  for (let index = 0; index < regExpFlagGetters.length; index += 1) {
    if (regExpFlagGetters[index]!(value)) {
      flags += REGEXP_FLAGS[index]![1];
    }
  }
  return flags;
}

export const MapConstructor = Map;
export const mapGet = uncurryThis(Map.prototype.get);
export const mapSet = uncurryThis(Map.prototype.set);
export const mapHas = uncurryThis(Map.prototype.has);
export const mapForEach = uncurryThis(Map.prototype.forEach);
export const SetConstructor = Set;
export const setAdd = uncurryThis(Set.prototype.add);
export const setForEach = uncurryThis(Set.prototype.forEach);

/** An own property like any assigned one, whatever setters the prototypes have. */
export function define(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/** An array that grows without a look at `Array.prototype`, where an index may have a setter. */
export function append<T>(list: T[], value: T): void {
  define(list, list.length, value);
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Takes the prototype off an object, so that a member it lacks is not looked for elsewhere. */
export function bare<T extends object>(object: T): T {
  setPrototypeOf(object, null);
  return object;
}
