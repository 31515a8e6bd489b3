import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createModHost } from "../../src/index.ts";
import { type DeclaredRealm, readDeclaredRealm } from "../declared-members.ts";
import { realRunner } from "./real-runner.ts";

const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");

/** Evaluated in the runner: the same names as the compiler's, of what is really there. */
const listRealm = `
export default () => {
  const globals = Object.getOwnPropertyNames(globalThis);
  const members = new Set();
  const namesOf = (value) => {
    const names = new Set();
    for (let at = value; at !== null && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
      for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    }
    return names;
  };
  const add = (path, value) => {
    if (Object(value) !== value) return;
    for (const name of namesOf(value)) members.add(path + "." + name);
    if (typeof value === "function" && Object(value.prototype) === value.prototype) {
      for (const name of namesOf(value.prototype)) members.add(path + ".prototype." + name);
    }
  };
  for (const name of globals) if (name !== "globalThis") add(name, globalThis[name]);
  for (const space of [["Intl", Intl], ["Temporal", Temporal]]) {
    for (const name of Object.getOwnPropertyNames(space[1])) add(space[0] + "." + name, space[1][name]);
  }
  return { globals, members: [...members] };
};`;

interface Exception {
  members: RegExp;
  reason: string;
}

/** What every object or function has; declared of some, found of none or the other way round. */
const ofEverything: Exception[] = [
  {
    members:
      /\.(constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|toLocaleString|valueOf)$/,
    reason: "Object.prototype has it, or it is one of those with a better type",
  },
  {
    members: /\.(apply|arguments|bind|call|caller|length|name)$/,
    reason: "Function.prototype has it, or every function of its own",
  },
];

const declaredOnly: Exception[] = [
  {
    members: /\.prototype\.(cause|stack)$|^AggregateError\.prototype\.errors$/,
    reason: "an own property of each error: to the compiler a prototype is an instance",
  },
  { members: /^SuppressedError\.prototype\.(error|suppressed)$/, reason: "the same" },
  { members: /^Function\.prototype\.prototype$/, reason: "an own property of most functions" },
  { members: /^RegExp\.prototype\.lastIndex$/, reason: "an own property of each expression" },
  {
    members: /^Iterator\.prototype\.(next|return|throw)$/,
    reason: "abstract: what extends Iterator brings them",
  },
  {
    members: /^Atomics\.waitAsync$/,
    reason: "taken out of the realm, which has no event loop; no declaration can take back a library's",
  },
];

const realOnly: Exception[] = [
  { members: /^Date\.prototype\.(getYear|setYear|toGMTString)$/, reason: "for old web pages (Annex B)" },
  { members: /^Intl\.v8BreakIterator$|^Intl\.v8BreakIterator\./, reason: "V8's, older than Intl.Segmenter" },
  { members: /^\w*Error\.prepareStackTrace$/, reason: "there for libraries that assign to it, and ignored" },
  {
    members: /^(Aggregate|Suppressed)Error\.(captureStackTrace|isError|stackTraceLimit)$/,
    reason: "the compiler knows of no inheritance from Error's own members here",
  },
  {
    members:
      /^(Math\.sumPrecise|JSON\.(isRawJSON|rawJSON)|Iterator\.concat|Intl\.PluralRules\.prototype\.selectRange|Intl\.Locale\.prototype\.(firstDayOfWeek|variants))$/,
    reason: "part of the language, and of no library of TypeScript 7.0",
  },
  { members: /^Intl\.\w+\.prototype$/, reason: "the compiler declares some without it" },
];

describe.skipIf(realRunner === undefined)("types/realm.d.ts", () => {
  let declared: DeclaredRealm;
  let real: { globals: string[]; members: string[] };

  beforeAll(async () => {
    declared = readDeclaredRealm(join(import.meta.dirname, "../../types/realm.d.ts"));
    await using host = createModHost({ runnerPath: realRunner!, pool: { spare: 0 } });
    const manifest = '{"name":"any","version":"1.0.0","protocol":"1","hooks":{"main":"main.js"}}';
    const mod = await host.load({ files: { "mod.json": manifest, "main.js": listRealm } });
    real = (await mod.run<typeof real>("main", null)).value;
  });

  test("declares the globals of the realm, all of them and no others", () => {
    expect(declared.globals.toSorted()).toEqual(real.globals.toSorted());
  });

  test("gives them the members that they have, but for what is listed here with its reason", () => {
    const found = new Set(real.members);
    const sides = [
      { names: [...declared.members].filter((name) => !found.has(name)), exceptions: declaredOnly },
      { names: real.members.filter((name) => !declared.members.has(name)), exceptions: realOnly },
    ];
    const isListed = (name: string, exceptions: Exception[]) =>
      [...ofEverything, ...exceptions].some(({ members }) => members.test(name));
    expect(sides.map(({ names, exceptions }) => names.filter((name) => !isListed(name, exceptions)))).toEqual(
      [[], []],
    );
    const isNeeded = (names: string[], { members }: Exception) => names.some((name) => members.test(name));
    expect(
      sides.flatMap(({ names, exceptions }) => exceptions.filter((each) => !isNeeded(names, each))),
    ).toEqual([]);
  });

  test("are those that README names", () => {
    const [, table] = readme.match(/^\| globals .*\n\|[ -|]*\n((?:\|.*\n)+)/m)!;
    const named = table!.split("\n").flatMap((row) => row.split("|")[1]?.match(/\w+/g) ?? []);
    expect(named.toSorted()).toEqual(declared.own.toSorted());
  });

  test("crypto code for every algorithm, which they compile, runs", async () => {
    await using host = createModHost({ runnerPath: realRunner!, pool: { spare: 0 } });
    const mod = await host.load(join(import.meta.dirname, "../crypto-mod"));
    // A pair of RSA keys may take its time.
    const { value } = await mod.run("everyAlgorithm", null, { budgetMs: 50_000 });
    const algorithms = [
      "SHA-1, SHA-256, SHA-384, SHA-512",
      "HMAC",
      "AES-CTR",
      "AES-CBC",
      "AES-GCM",
      "AES-KW",
      "RSASSA-PKCS1-v1_5",
      "RSA-PSS",
      "RSA-OAEP",
      "ECDSA",
      "ECDH",
      "Ed25519",
      "X25519",
      "HKDF",
      "PBKDF2",
    ];
    expect(value).toEqual([...algorithms, "random", "texts"]);
    for (const name of algorithms) expect(readme).toContain(name);
  });
});
