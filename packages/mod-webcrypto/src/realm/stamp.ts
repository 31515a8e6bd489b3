import { isObject, TypeErrorConstructor } from "./primordials.ts";

/** Internal slots on objects that somebody else made. */
export interface Slot<T> {
  put(target: object, value: T): void;
  has(value: unknown): boolean;
  /** Throws a TypeError for an object without the slot. */
  get(value: unknown, kind: string): T;
}

class Identity {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: lets the subclass put its private field on any object.
    return target;
  }
}

/** A private field put on a given object: it cannot be read, forged or removed from outside. */
export function stamped<T>(): Slot<T> {
  class Stamp extends Identity {
    #value: T;

    constructor(target: object, value: T) {
      super(target);
      this.#value = value;
    }

    static read(value: unknown): { value: T } | undefined {
      return isObject(value) && #value in value ? { value: value.#value } : undefined;
    }
  }
  return {
    put: (target, value) => {
      new Stamp(target, value);
    },
    has: (value) => Stamp.read(value) !== undefined,
    get: (value, kind) => {
      const found = Stamp.read(value);
      if (found === undefined) {
        throw new TypeErrorConstructor(`Illegal invocation: this is no ${kind}`);
      }
      return found.value;
    },
  };
}
