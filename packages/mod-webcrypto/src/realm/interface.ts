import {
  bare,
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  symbolToStringTag,
} from "./primordials.ts";

/** Gives a class the shape of a Web IDL interface: enumerable members and a tag. */
export function shapeInterface(type: { prototype: object; name: string }): void {
  const keys = getOwnPropertyNames(type.prototype);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!;
    const descriptor = getOwnPropertyDescriptor(type.prototype, key);
    if (key !== "constructor" && descriptor?.configurable === true) {
      defineProperty(type.prototype, key, bare({ ...descriptor, enumerable: true }));
    }
  }
  defineProperty(type.prototype, symbolToStringTag, bare({ value: type.name, configurable: true }));
}

/** Gives a function that takes what it is given the number of parameters that the standard lets it have. */
export function shapeFunction(target: object, length: number, name?: string): void {
  defineProperty(target, "length", bare({ value: length }));
  if (name !== undefined) defineProperty(target, "name", bare({ value: name }));
}
