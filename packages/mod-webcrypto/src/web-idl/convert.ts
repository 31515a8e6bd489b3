/** Web IDL's conversions from JavaScript values, as far as Web Crypto needs them. */
import { type Bytes, copyBytes } from "../realm/bytes.ts";
import {
  append,
  apply,
  arrayBufferByteLength,
  arrayBufferIsView,
  dataViewBuffer,
  dataViewByteLength,
  dataViewByteOffset,
  isObject,
  mathFloor,
  mathTrunc,
  numberIsFinite,
  sharedBufferByteLength,
  symbolIterator,
  TypeErrorConstructor,
  typedArrayBuffer,
  typedArrayByteLength,
  typedArrayByteOffset,
  typedArrayKind,
  Uint8ArrayConstructor,
} from "../realm/primordials.ts";

export function typeError(message: string): TypeError {
  return new TypeErrorConstructor(message);
}

export function requireArguments(given: number, wanted: number): void {
  if (given < wanted) {
    throw typeError(`${wanted} arguments required, but only ${given} present`);
  }
}

/** The named member of a dictionary; undefined when it, or the dictionary itself, is not there. */
export function readMember(dictionary: unknown, name: string): unknown {
  if (dictionary === undefined || dictionary === null) {
    return undefined;
  }
  if (!isObject(dictionary)) {
    throw typeError("a dictionary must be an object");
  }
  return (dictionary as Record<string, unknown>)[name];
}

export function readRequired(dictionary: unknown, name: string): unknown {
  const value = readMember(dictionary, name);
  if (value === undefined) {
    throw typeError(`required member ${name} is missing`);
  }
  return value;
}

/** ToString: throws a TypeError for symbols, runs the value's own `toString`. */
export function toDomString(value: unknown): string {
  return `${value as string}`;
}

/** ToBoolean, without the global `Boolean`, which a mod may have replaced. */
export function toBoolean(value: unknown): boolean {
  return !!value;
}

export function toEnum(value: unknown, allowed: readonly string[], what: string): string {
  const text = toDomString(value);
  for (let index = 0; index < allowed.length; index += 1) {
    if (allowed[index] === text) {
      return text;
    }
  }
  throw typeError(`${text} is no ${what}`);
}

/** An unsigned integer of the given width with [EnforceRange]. */
export function toUnsignedInRange(value: unknown, bits: 8 | 16 | 32, what: string): number {
  const number = +(value as number);
  const integer = mathTrunc(number);
  if (!numberIsFinite(number) || integer < 0 || integer >= 2 ** bits) {
    throw typeError(`${what} is out of range`);
  }
  return integer;
}

const BUFFER_SOURCE = "an ArrayBuffer or a view of one";

/**
 * A copy of the bytes of a BufferSource. Shared memory is refused: somebody else could change it
 * meanwhile. Resizable buffers are taken, as Node does: the copy is made before anything can resize them.
 */
export function toBytes(value: unknown, what: string): Bytes {
  if (arrayBufferIsView(value)) {
    return viewBytes(value, what);
  }
  return copyOrNone(value as ArrayBuffer, 0, unsharedLength(value, what));
}

export function isBufferSource(value: unknown): boolean {
  if (arrayBufferIsView(value)) {
    return true;
  }
  try {
    arrayBufferByteLength(value);
    return true;
  } catch {
    return false;
  }
}

/** A copy of a BufferSource that may be shared memory, of which a torn read does no harm. */
export function toBytesAllowingShared(value: unknown, what: string): Bytes {
  if (!arrayBufferIsView(value)) {
    return copyOrNone(value as ArrayBuffer, 0, sharedLength(value) ?? unsharedLength(value, what));
  }
  return copyView(value);
}

function sharedLength(value: unknown): number | undefined {
  try {
    return sharedBufferByteLength(value);
  } catch {
    return undefined;
  }
}

function viewBytes(view: unknown, what: string): Bytes {
  const isDataView = typedArrayKind(view) === undefined;
  unsharedLength(isDataView ? dataViewBuffer(view) : typedArrayBuffer(view), what);
  return copyView(view);
}

function copyView(view: unknown): Bytes {
  if (typedArrayKind(view) === undefined) {
    // The offset and length getters of an out-of-bounds DataView throw a TypeError, which is ours as well.
    return copyOrNone(dataViewBuffer(view), dataViewByteOffset(view), dataViewByteLength(view));
  }
  return copyOrNone(typedArrayBuffer(view), typedArrayByteOffset(view), typedArrayByteLength(view));
}

/** A detached buffer has no bytes, and no new view can be made of it. */
function copyOrNone(buffer: ArrayBufferLike, offset: number, length: number): Bytes {
  return length === 0 ? new Uint8ArrayConstructor(0) : copyBytes(buffer, offset, length);
}

function unsharedLength(buffer: unknown, what: string): number {
  try {
    return arrayBufferByteLength(buffer);
  } catch {
    throw typeError(`${what} must be ${BUFFER_SOURCE} that is not shared`);
  }
}

/** A sequence from any iterable object, by the iterable's own iterator. */
export function toSequence<T>(value: unknown, convert: (item: unknown) => T, what: string): T[] {
  const method = isObject(value) ? (value as Iterable<unknown>)[symbolIterator] : undefined;
  if (typeof method !== "function") {
    throw typeError(`${what} must be a sequence`);
  }
  const iterator: unknown = apply(method, value, []);
  if (!isObject(iterator)) {
    throw typeError(`${what} must be a sequence`);
  }
  const { next } = iterator as { next: unknown };
  const items: T[] = [];
  for (;;) {
    const step: unknown = apply(next as () => unknown, iterator, []);
    if (!isObject(step)) {
      throw typeError(`${what} must be a sequence`);
    }
    if ((step as IteratorResult<unknown>).done) {
      return items;
    }
    append(items, convert((step as IteratorResult<unknown>).value));
  }
}

/** How many bytes hold so many bits. */
export function bytesForBits(bits: number): number {
  return mathFloor((bits + 7) / 8);
}
