import { domException } from "../realm/dom-exception.ts";
import {
  ArrayBufferConstructor,
  append,
  arrayBufferByteLength,
  arrayBufferDetached,
  arrayBufferIsView,
  arrayBufferMaxByteLength,
  arrayBufferResizable,
  arrayBufferTransfer,
  bare,
  DataViewConstructor,
  dataViewBuffer,
  dataViewByteLength,
  dataViewByteOffset,
  mapHas,
  mapSet,
  sharedBufferByteLength,
  typedArrayAt,
  typedArrayBuffer,
  typedArrayByteOffset,
  typedArrayConstructors,
  typedArrayKind,
  typedArrayLength,
  typedArraySet,
  Uint8ArrayConstructor,
} from "../realm/primordials.ts";
import type { CloneValue } from "./structured-clone.ts";

export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    arrayBufferByteLength(value);
    return true;
  } catch {
    return false;
  }
}

export function isView(value: unknown): value is ArrayBufferView {
  return arrayBufferIsView(value);
}

export function isShared(value: unknown): boolean {
  try {
    sharedBufferByteLength(value);
    return true;
  } catch {
    return false;
  }
}

export function cloneBuffer(buffer: ArrayBuffer): ArrayBuffer {
  if (arrayBufferDetached(buffer)) {
    throw domException("DataCloneError", "a detached ArrayBuffer could not be cloned.");
  }
  const copy = emptyLike(buffer);
  copyAll(buffer, copy);
  return copy;
}

/** As long, as long as it may grow, and zero. */
function emptyLike(buffer: ArrayBuffer): ArrayBuffer {
  const length = arrayBufferByteLength(buffer);
  return arrayBufferResizable(buffer)
    ? new ArrayBufferConstructor(length, bare({ maxByteLength: arrayBufferMaxByteLength(buffer) }))
    : new ArrayBufferConstructor(length);
}

function copyAll(from: ArrayBuffer, to: ArrayBuffer): void {
  typedArraySet(new Uint8ArrayConstructor(to), new Uint8ArrayConstructor(from));
}

/** A view of the clone of its buffer. One that follows its buffer's length gets the length of now. */
export function cloneView(view: object, clone: CloneValue): object {
  const kind = typedArrayKind(view);
  const buffer = kind === undefined ? dataViewBuffer(view) : typedArrayBuffer(view);
  if (isShared(buffer)) {
    throw domException("DataCloneError", "shared memory could not be cloned.");
  }
  if (kind !== undefined && isBeyondBuffer(view)) {
    throw domException("DataCloneError", "a view beyond its buffer could not be cloned.");
  }
  const copy = clone(buffer) as ArrayBuffer;
  return kind === undefined
    ? new DataViewConstructor(copy, dataViewByteOffset(view), dataViewByteLength(view))
    : new typedArrayConstructors[kind]!(copy, typedArrayByteOffset(view), typedArrayLength(view));
}

function isBeyondBuffer(typedArray: object): boolean {
  try {
    typedArrayAt(typedArray, 0);
    return false;
  } catch {
    return true;
  }
}

interface Move {
  readonly from: ArrayBuffer;
  readonly to: ArrayBuffer;
}

/**
 * Gives each transferred buffer its successor before anything is cloned, so that views find it; the bytes
 * move when all has been cloned, since a failure must leave the buffers as they were.
 */
export function planTransfer(transferred: unknown[], memory: Map<object, object>): Move[] {
  const moves: Move[] = [];
  for (let index = 0; index < transferred.length; index += 1) {
    const from = transferred[index];
    if (!isArrayBuffer(from) || arrayBufferDetached(from)) {
      throw domException("DataCloneError", "only an ArrayBuffer that is not detached can be transferred.");
    }
    if (mapHas(memory as Map<unknown, unknown>, from)) {
      throw domException("DataCloneError", "an ArrayBuffer stands twice in the transfer list.");
    }
    const to = emptyLike(from);
    mapSet(memory as Map<unknown, unknown>, from, to);
    append(moves, { from, to });
  }
  return moves;
}

export function moveBuffers(moves: Move[]): void {
  for (let index = 0; index < moves.length; index += 1) {
    const { from, to } = moves[index]!;
    copyAll(from, to);
    arrayBufferTransfer(from);
  }
}
