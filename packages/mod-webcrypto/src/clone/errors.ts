import {
  bare,
  defineProperty,
  ErrorConstructor,
  errorConstructors,
  errorIsError,
  getOwnPropertyDescriptor,
  objectToString,
} from "../realm/primordials.ts";
import { toDomString } from "../web-idl/convert.ts";
import type { CloneValue } from "./structured-clone.ts";

export function isError(value: object): value is Error {
  // Engines without Error.isError: the tag is right for all but objects that hide what they are.
  return errorIsError === undefined ? objectToString(value) === "[object Error]" : errorIsError(value);
}

/** Name, message, stack and cause survive; a name that no built-in error has becomes Error. */
export function cloneError(
  error: Error,
  remember: <T extends object>(copy: T) => T,
  clone: CloneValue,
): Error {
  const { name } = error;
  const copy = remember(new (errorConstructors[toDomString(name ?? "Error")] ?? ErrorConstructor)());
  const message = getOwnPropertyDescriptor(error, "message");
  if (message !== undefined && "value" in message) {
    hide(copy, "message", toDomString(message.value));
  }
  const { stack } = error;
  if (typeof stack === "string") {
    hide(copy, "stack", stack);
  }
  const cause = getOwnPropertyDescriptor(error, "cause");
  if (cause !== undefined && "value" in cause) {
    hide(copy, "cause", clone(cause.value));
  }
  return copy;
}

function hide(target: object, key: string, value: unknown): void {
  defineProperty(target, key, bare({ value, writable: true, configurable: true, enumerable: false }));
}
