import { defineProperty, getOwnPropertyDescriptor } from "./primordials.ts";

/** Gives a class the shape of a Web IDL interface: enumerable members and a tag. Runs at boot only. */
export function shapeInterface(constructor: { prototype: object; name: string }): void {
  for (const key of Object.getOwnPropertyNames(constructor.prototype)) {
    const descriptor = getOwnPropertyDescriptor(constructor.prototype, key);
    if (key !== "constructor" && descriptor?.configurable === true) {
      defineProperty(constructor.prototype, key, { ...descriptor, enumerable: true });
    }
  }
  defineProperty(constructor.prototype, Symbol.toStringTag, { value: constructor.name, configurable: true });
}
