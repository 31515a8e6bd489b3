import { defineProperty, getOwnPropertyDescriptor } from "./primordials.ts";

/** Gives a class the shape of a Web IDL interface: enumerable members and a tag. Runs at boot only. */
export function shapeInterface(type: { prototype: object; name: string }): void {
  for (const key of Object.getOwnPropertyNames(type.prototype)) {
    const descriptor = getOwnPropertyDescriptor(type.prototype, key);
    if (key !== "constructor" && descriptor?.configurable === true) {
      defineProperty(type.prototype, key, { ...descriptor, enumerable: true });
    }
  }
  defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
}
