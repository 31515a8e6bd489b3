/** `structuredClone` of the HTML Standard over the values that a mod can have. */
import { makeKey, slotsOf } from "../crypto/crypto-key.ts";
import { DOMException, domException, isDomException } from "../realm/dom-exception.ts";
import { shapeFunction } from "../realm/interface.ts";
import {
  ArrayConstructor,
  bigIntValueOf,
  booleanValueOf,
  DateConstructor,
  dateGetTime,
  define,
  hasOwn,
  isArray,
  MapConstructor,
  mapForEach,
  mapGet,
  mapHas,
  mapSet,
  numberValueOf,
  ObjectConstructor,
  objectKeys,
  RegExpConstructor,
  regExpFlags,
  regExpSource,
  SetConstructor,
  setAdd,
  setForEach,
  stringValueOf,
  symbolValueOf,
  weakRefDeref,
} from "../realm/primordials.ts";
import { readMember, requireArguments, toSequence } from "../web-idl/convert.ts";
import {
  cloneBuffer,
  cloneView,
  isArrayBuffer,
  isShared,
  isView,
  moveBuffers,
  planTransfer,
} from "./buffers.ts";
import { cloneError, isError } from "./errors.ts";

/**
 * Whether an object has state that this layer cannot see from JavaScript: proxies, promises, weak
 * collections, arguments objects, generators, iterators of maps and sets, module namespaces. The host says so by the engine's own type checks.
 */
export type HasHiddenState = (value: object) => boolean;

/** What has been cloned already: a value that is met twice, or contains itself, is cloned once. */
type Memory = Map<object, object>;

export type CloneValue = (value: unknown) => unknown;

export function createStructuredClone(hasHiddenState: HasHiddenState) {
  const structuredClone = (...given: unknown[]): unknown => {
    requireArguments(given.length, 1);
    const transfer = readMember(given.length > 1 ? given[1] : undefined, "transfer");
    const transferred = transfer === undefined ? [] : toSequence(transfer, (item) => item, "transfer");
    const memory: Memory = new MapConstructor();
    const moves = planTransfer(transferred, memory);
    const clone: CloneValue = (value) => cloneValue(value, memory, clone, hasHiddenState);
    const result = clone(given[0]);
    moveBuffers(moves);
    return result;
  };
  shapeFunction(structuredClone, 1);
  return structuredClone;
}

function refuse(what: string): never {
  throw domException("DataCloneError", `${what} could not be cloned.`);
}

function cloneValue(
  value: unknown,
  memory: Memory,
  clone: CloneValue,
  hasHiddenState: HasHiddenState,
): unknown {
  if (typeof value === "symbol" || typeof value === "function") {
    return refuse(`a ${typeof value}`);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (mapHas(memory as Map<unknown, unknown>, value)) {
    return mapGet(memory as Map<unknown, unknown>, value);
  }
  const remember = <T extends object>(copy: T): T => {
    mapSet(memory as Map<unknown, unknown>, value, copy);
    return copy;
  };
  return (
    cloneBoxed(value, remember) ??
    cloneBuiltIn(value, remember, clone) ??
    clonePlain(hasHiddenState(value) ? refuse("an object with hidden state") : value, remember, clone)
  );
}

type Remember = <T extends object>(copy: T) => T;

/** What a method that only works on one kind of object returns for this one; undefined for other kinds. */
function probe<T>(method: (self: unknown) => T, value: object): { value: T } | undefined {
  try {
    return { value: method(value) };
  } catch {
    return undefined;
  }
}

function cloneBoxed(value: object, remember: Remember): object | undefined {
  if (probe(symbolValueOf, value) !== undefined) {
    return refuse("a symbol object");
  }
  const primitive =
    probe<unknown>(booleanValueOf, value) ??
    probe<unknown>(numberValueOf, value) ??
    probe<unknown>(stringValueOf, value) ??
    probe<unknown>(bigIntValueOf, value);
  return primitive === undefined ? undefined : remember(ObjectConstructor(primitive.value) as object);
}

function cloneBuiltIn(value: object, remember: Remember, clone: CloneValue): object | undefined {
  const time = probe(dateGetTime, value);
  if (time !== undefined) {
    return remember(new DateConstructor(time.value));
  }
  const source = probe(regExpSource, value);
  const flags = source === undefined ? undefined : probe(regExpFlags, value);
  if (source !== undefined && flags !== undefined) {
    return remember(new RegExpConstructor(source.value, flags.value));
  }
  if (isArrayBuffer(value)) {
    return remember(cloneBuffer(value));
  }
  if (isShared(value)) {
    return refuse("shared memory");
  }
  if (isView(value)) {
    return remember(cloneView(value, clone));
  }
  return cloneCollection(value, remember, clone) ?? clonePlatformObject(value, remember, clone);
}

function cloneCollection(value: object, remember: Remember, clone: CloneValue): object | undefined {
  const pairs: unknown[] = [];
  let count = 0;
  const collect = (item: unknown, key: unknown): void => {
    define(pairs, count, [key, item]);
    count += 1;
  };
  // A copy of the entries first: cloning one may run a getter that changes the collection.
  if (probe((self) => mapForEach(self as Map<unknown, unknown>, collect), value) !== undefined) {
    const copy = remember(new MapConstructor<unknown, unknown>());
    for (let index = 0; index < count; index += 1) {
      const pair = pairs[index] as [unknown, unknown];
      mapSet(copy, clone(pair[0]), clone(pair[1]));
    }
    return copy;
  }
  if (probe((self) => setForEach(self as Set<unknown>, collect), value) !== undefined) {
    const copy = remember(new SetConstructor<unknown>());
    for (let index = 0; index < count; index += 1) {
      setAdd(copy, clone((pairs[index] as [unknown, unknown])[0]));
    }
    return copy;
  }
  return undefined;
}

function refuseWeakRef(value: object): void {
  if (probe(weakRefDeref, value) !== undefined) {
    refuse("a WeakRef");
  }
}

function clonePlatformObject(value: object, remember: Remember, clone: CloneValue): object | undefined {
  refuseWeakRef(value);
  const key = slotsOf(value);
  if (key !== undefined) {
    return remember(makeKey(key));
  }
  if (isDomException(value)) {
    return remember(new DOMException(value.message, value.name));
  }
  return isError(value) ? cloneError(value, remember, clone) : undefined;
}

function clonePlain(value: object, remember: Remember, clone: CloneValue): object {
  const copy = remember(isArray(value) ? new ArrayConstructor(value.length) : {});
  const keys = objectKeys(value);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!;
    // A getter met before may have deleted it.
    if (hasOwn(value, key)) {
      define(copy, key, clone((value as Record<string, unknown>)[key]));
    }
  }
  return copy;
}
