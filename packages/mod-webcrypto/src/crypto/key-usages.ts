import { domException } from "../realm/dom-exception.ts";
import { append } from "../realm/primordials.ts";

/** The standard's usages, in the order in which a key lists them. A set of them is a number of bits. */
export const USAGE_NAMES = [
  "encrypt",
  "decrypt",
  "sign",
  "verify",
  "deriveKey",
  "deriveBits",
  "wrapKey",
  "unwrapKey",
] as const;

export type UsageName = (typeof USAGE_NAMES)[number];
export type Usages = number;

export function usageBit(name: UsageName): Usages {
  for (let index = 0; index < USAGE_NAMES.length; index += 1) {
    if (USAGE_NAMES[index] === name) {
      return 1 << index;
    }
  }
  return 0;
}

/** The set of the usages named. Boot time and internal lists only. */
export function usagesOf(...names: UsageName[]): Usages {
  let usages = 0;
  for (let index = 0; index < names.length; index += 1) {
    usages |= usageBit(names[index]!);
  }
  return usages;
}

export function usageNames(usages: Usages): UsageName[] {
  const names: UsageName[] = [];
  for (let index = 0; index < USAGE_NAMES.length; index += 1) {
    if (usages & (1 << index)) {
      append(names, USAGE_NAMES[index]!);
    }
  }
  return names;
}

/** SyntaxError for a usage that the kind of key cannot have. */
export function requireUsagesWithin(usages: Usages, allowed: Usages): void {
  if (usages & ~allowed) {
    throw domException("SyntaxError", "a usage does not fit the kind of key");
  }
}
