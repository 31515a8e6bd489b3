import { ModError } from "./errors.ts";

/** What a value should be, where it is not. */
export type Check = (value: unknown) => string | undefined;

/**
 * Every problem of an object of options: that it is none, an option that there is not, a value that cannot be
 * taken. An option that is undefined is one that was left out.
 * @param group - what it is called in the messages; nothing for the options themselves
 * @param checks - every option that there is
 */
export function findProblems(
  group: string,
  options: unknown,
  checks: Readonly<Record<string, Check>>,
): string[] {
  if (options === undefined) return [];
  if (!isObject(options))
    return [`${group || "what holds the options"} is ${show(options)}, expected an object`];
  return Object.entries(options).flatMap(([name, value]) => {
    const place = group === "" ? name : `${group}.${name}`;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    // One that is misspelt would do nothing.
    if (check === undefined) return [`${place} is no option; there are ${Object.keys(checks).join(", ")}`];
    const expected = value === undefined ? undefined : check(value);
    return expected === undefined ? [] : [`${place} is ${show(value)}, expected ${expected}`];
  });
}

/** @throws ModError invalid_argument with all of them, where there are any */
export function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new ModError("invalid_argument", problems.join("; "));
}

export const isFunction: Check = (value) => (typeof value === "function" ? undefined : "a function");

export const isText: Check = (value) => (typeof value === "string" ? undefined : "a text");

export const isTextList: Check = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "a list of names";

export const isDigest: Check = (value) =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value)
    ? undefined
    : "a SHA-256: 64 hexadecimal digits in lower case";

/** By what it can do: one of another realm, or of a polyfill, is one as well. */
export const isSignal: Check = (value) =>
  isObject(value) &&
  typeof value.aborted === "boolean" &&
  typeof value.addEventListener === "function" &&
  typeof value.removeEventListener === "function"
    ? undefined
    : "an AbortSignal";

export function isInteger(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const range =
    most === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${least}`
      : `an integer from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : range;
}

export function isOneOf(...names: string[]): Check {
  return (value) => (names.includes(value as string) ? undefined : `one of ${names.join(", ")}`);
}

/** A list, a Map, a promise and the like are objects of another kind: they have no options. */
export function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  return !(Symbol.iterator in value || value instanceof Promise);
}

/** A value, short. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value))
    return `a list with ${
      value
        .map((item) => show(item))
        .slice(0, 3)
        .join(", ") || "nothing"
    }`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === "Object" ? "an object" : `a ${kind}`;
}
