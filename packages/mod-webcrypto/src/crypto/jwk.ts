import { decodeBase64, encodeBase64, URL_SAFE } from "../encoding/base64-codec.ts";
import { asciiBytes, type Bytes } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { append, bare, define, hasOwn, isArray, isObject, jsonParse } from "../realm/primordials.ts";
import { readMember, toBoolean, toDomString, toSequence, typeError } from "../web-idl/convert.ts";
import type { KeyRequest } from "./algorithm.ts";
import type { KeySlots } from "./crypto-key.ts";
import { type UsageName, usageBit, usageNames } from "./key-usages.ts";

/** In the order in which Web IDL reads and makes the members of a dictionary. */
const MEMBERS = [
  "alg",
  "crv",
  "d",
  "dp",
  "dq",
  "e",
  "ext",
  "k",
  "key_ops",
  "kty",
  "n",
  "oth",
  "p",
  "q",
  "qi",
  "use",
  "x",
  "y",
] as const;

type Member = (typeof MEMBERS)[number];
type TextMember = Exclude<Member, "ext" | "key_ops" | "oth">;

/** Of a prime beside the first two. */
const PRIME_MEMBERS = ["d", "r", "t"] as const;

/** A JsonWebKey after conversion. Without a prototype. */
export type Jwk = { [name in TextMember]?: string } & {
  ext?: boolean;
  key_ops?: string[];
  /** Whether the key has more than two primes; what they are does not matter, nobody takes such a key. */
  oth?: boolean;
};

/** From a mod's object, by Web IDL's rules for a dictionary. */
export function readJwk(value: unknown): Jwk {
  return convertJwk((name) => readMember(value, name), toSequence);
}

/** The standard's "parse a JWK". DataError when it is no JSON, no object, or has no `kty`. */
export function parseJwk(text: string): Jwk {
  let parsed: unknown;
  try {
    parsed = jsonParse(text);
  } catch {
    throw domException("DataError", "the unwrapped key is no JSON");
  }
  if (!isObject(parsed)) {
    throw domException("DataError", "the unwrapped key is no JSON Web Key");
  }
  const object = parsed as Record<string, unknown>;
  // Own members only: what a mod has put on Object.prototype is not part of the text.
  const jwk = convertJwk((name) => (hasOwn(object, name) ? object[name] : undefined), toParsedSequence);
  if (jwk.kty === undefined) {
    throw domException("DataError", "the unwrapped key has no kty");
  }
  return jwk;
}

type ToSequence = <T>(value: unknown, convert: (item: unknown) => T, what: string) => T[];

/** {@link toSequence} of what the JSON parser has made: an array, without a look at its iterator. */
function toParsedSequence<T>(value: unknown, convert: (item: unknown) => T, what: string): T[] {
  if (!isArray(value)) {
    throw typeError(`${what} must be a sequence`);
  }
  const items: T[] = [];
  for (let index = 0; index < value.length; index += 1) {
    append(items, convert(value[index]));
  }
  return items;
}

function convertJwk(read: (name: string) => unknown, toItems: ToSequence): Jwk {
  const jwk: Jwk = bare({});
  for (let index = 0; index < MEMBERS.length; index += 1) {
    const name = MEMBERS[index]!;
    const value = read(name);
    if (value === undefined) continue;
    if (name === "ext") jwk.ext = toBoolean(value);
    else if (name === "key_ops") jwk.key_ops = toItems(value, toDomString, name);
    else if (name === "oth") {
      toItems(value, checkOtherPrime, name);
      jwk.oth = true;
    } else jwk[name] = toDomString(value);
  }
  return jwk;
}

/** A dictionary, each member of which is converted, though nobody takes a key that has one. */
function checkOtherPrime(value: unknown): void {
  for (let index = 0; index < PRIME_MEMBERS.length; index += 1) {
    const member = readMember(value, PRIME_MEMBERS[index]!);
    if (member !== undefined) toDomString(member);
  }
}

/** What every kind of key asks of a JWK. */
export function checkJwk(jwk: Jwk, kty: string, use: "sig" | "enc", request: KeyRequest): void {
  if (jwk.kty !== kty) {
    throw domException("DataError", `JWK "kty" must be ${kty}`);
  }
  // `use` is looked at only when there are usages that it could forbid.
  if (request.usages !== 0 && jwk.use !== undefined && jwk.use !== use) {
    throw domException("DataError", `JWK "use" must be ${use}`);
  }
  if (jwk.key_ops !== undefined) {
    checkKeyOps(jwk.key_ops, request);
  }
  if (jwk.ext === false && request.extractable) {
    throw domException("DataError", 'JWK "ext" is false, so the key cannot be extractable');
  }
}

/** Unknown operations may stand there; none twice, and all that the key is wanted for. */
function checkKeyOps(operations: string[], { usages }: KeyRequest): void {
  let found = 0;
  for (let index = 0; index < operations.length; index += 1) {
    for (let other = 0; other < index; other += 1) {
      if (operations[other] === operations[index]) {
        throw domException("DataError", `JWK "key_ops" has ${operations[index]} twice`);
      }
    }
    found |= usageBit(operations[index] as UsageName);
  }
  if (usages & ~found) {
    throw domException("DataError", 'JWK "key_ops" does not have all usages');
  }
}

export function checkJwkAlg(jwk: Jwk, expected: string): void {
  if (jwk.alg !== undefined && jwk.alg !== expected) {
    throw domException("DataError", `JWK "alg" must be ${expected}`);
  }
}

/** The bytes of a member; DataError when it is missing or no base64url. */
export function jwkBytes(jwk: Jwk, name: TextMember): Bytes {
  const text = jwk[name];
  const bytes = text === undefined ? undefined : decodeBase64(text, URL_SAFE);
  if (bytes === undefined) {
    throw domException("DataError", `JWK "${name}" is missing or no base64url`);
  }
  return bytes;
}

export function jwkText(bytes: Bytes): string {
  return encodeBase64(bytes, URL_SAFE);
}

/** The JWK to export, with what all kinds of keys have. */
export function exportedJwk(key: KeySlots, members: Jwk): Jwk {
  const jwk = bare(members);
  jwk.key_ops = usageNames(key.usages);
  jwk.ext = key.extractable;
  return jwk;
}

/** The object that a mod sees. */
export function publicJwk(jwk: Jwk): object {
  const object = {};
  for (let index = 0; index < MEMBERS.length; index += 1) {
    const name = MEMBERS[index]!;
    if (jwk[name] !== undefined) {
      define(object, name, jwk[name]);
    }
  }
  return object;
}

/** Its JSON, written here: `JSON.stringify` would ask a mod's `toJSON`. Every text in it is plain ASCII. */
export function jwkJson(jwk: Jwk): Bytes {
  let json = "";
  for (let index = 0; index < MEMBERS.length; index += 1) {
    const name = MEMBERS[index]!;
    const value = jwk[name];
    if (value !== undefined) {
      json += `${json === "" ? "" : ","}"${name}":${jsonOf(value)}`;
    }
  }
  return asciiBytes(`{${json}}`);
}

function jsonOf(value: string | boolean | readonly string[]): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "boolean") return value ? "true" : "false";
  let list = "";
  for (let index = 0; index < value.length; index += 1) {
    list += `${index === 0 ? "" : ","}"${value[index]}"`;
  }
  return `[${list}]`;
}
