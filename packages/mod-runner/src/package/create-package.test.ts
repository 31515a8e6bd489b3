import { expect, test } from "vitest";
import type { ModError } from "../errors.ts";
import { createPackage } from "./create-package.ts";

const manifest = { name: "any", version: "1.0.0", protocol: "1", hooks: { main: "main.ts" } };

function create(files: Record<string, string>, fields: object = {}) {
  return createPackage({ "mod.json": JSON.stringify({ ...manifest, ...fields }), ...files });
}

function readProblem(files: Record<string, string>, fields: object = {}): string {
  try {
    create(files, fields);
  } catch (error) {
    expect(error).toMatchObject({ name: "ModError", code: "mod_invalid" });
    return (error as ModError).message;
  }
  throw new Error("it was taken");
}

test("a package: hooks taken apart, modules sorted, the manifest not among them", () => {
  const pkg = create(
    { "main.ts": "1", "lib/a.ts": "2", "a.json": "3" },
    { hooks: { main: "main.ts", other: "./lib/a.ts#other" }, grants: ["x"] },
  );
  expect(pkg).toMatchObject({
    name: "any",
    hooks: new Map([
      ["main", { module: "main.ts", export: "default" }],
      ["other", { module: "lib/a.ts", export: "other" }],
    ]),
    asks: new Set(["x"]),
    modulesJson: '{"a.json":"3","lib/a.ts":"2","main.ts":"1"}',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    folder: undefined,
  });
});

test("a hook may have any name that the schema allows", () => {
  const hooks = JSON.parse('{ "then": "main.ts", "constructor": "main.ts" }');
  expect([...create({ "main.ts": "1" }, { hooks }).hooks.keys()]).toEqual(["then", "constructor"]);
});

test("the digest is of the content: not of the order, but of every path and byte, the manifest's too", () => {
  const digest = (files: Record<string, string>, fields = {}) =>
    create({ "main.ts": "1", ...files }, fields).digest;
  const base = digest({ "a.ts": "x", "b.ts": "y" });
  expect(digest({ "b.ts": "y", "a.ts": "x" })).toBe(base);
  const others = [
    digest({ "a.ts": "x", "b.ts": "z" }),
    digest({ "a.ts": "xb.ts", "c.ts": "y" }),
    digest({ "a.ts": "x", "c.ts": "y" }),
    digest({ "a.ts": "x", "b.ts": "y" }, { grants: ["fs"] }),
  ];
  expect(new Set([base, ...others]).size).toBe(5);
});

test.each<[string, Record<string, string>, object, string]>([
  ["no manifest's name", { "main.ts": "" }, { name: "Äpfel" }, 'name is "Äpfel"'],
  [
    "another protocol",
    { "main.ts": "" },
    { protocol: "2-3" },
    "is written for protocol 2-3, this host speaks 1",
  ],
  ["a hook in no module", { "a.ts": "" }, {}, "hook main is in main.ts, which the package does not have"],
  [
    "a hook outside",
    { "main.ts": "" },
    { hooks: { main: "../main.ts" } },
    "is in ../main.ts, which the package",
  ],
  ["a path that leads out", { "main.ts": "", "../x.ts": "" }, {}, '"../x.ts" is no plain relative path'],
  ["an absolute path", { "main.ts": "", "/x.ts": "" }, {}, '"/x.ts" is no plain relative path'],
  ["a scheme", { "main.ts": "", "file:x.ts": "" }, {}, "one of \\ % : ? #"],
  ["a NUL", { "main.ts": "", "x\0.ts": "" }, {}, "a control character"],
  ["half a character", { "main.ts": "\ud800" }, {}, "is no Unicode text"],
  ["another file", { "main.ts": "", "x.wasm": "" }, {}, "is no .ts, .mts, .js, .mjs or .json file"],
  ["a large module", { "main.ts": "x".repeat(2_097_153) }, {}, "has 2097153 bytes, expected at most 2097152"],
  [
    "many modules",
    Object.fromEntries(Array.from({ length: 1025 }, (_, index) => [`m${index}.ts`, ""])),
    { hooks: { main: "m0.ts" } },
    "there are 1025 modules, expected at most 1024",
  ],
])("%s is refused", (_, files, fields, message) => {
  expect(readProblem(files, fields)).toContain(message);
});

test("text that becomes too long as JSON is refused here, not by the runner", () => {
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`m${index}.ts`, "\u0001".repeat(2_000_000)]),
  );
  expect(readProblem({ "main.ts": "", ...files })).toContain("bytes as JSON");
});

test("what is wrong with the manifest and with the files is told at once, each with what is right", () => {
  const fields = {
    name: "A b",
    protocol: "3",
    hooks: { main: "gone.ts", "1st": "main.ts", other: "main.ts#", third: 5 },
    grants: ["git branch"],
    more: 1,
  };
  expect(readProblem({ "main.ts": "", "x.wasm": "" }, fields).split("; ")).toEqual([
    'mod.json: name is "A b", expected lower-case letters, digits, and - _ . after the first of them',
    'hooks key is "1st", expected a letter, and at most 127 letters, digits, - _ . behind it',
    'hooks.other is "main.ts#", expected a module, or a module and its export, such as main.ts#default',
    "hooks.third is number, expected string",
    'grants[0] is "git branch", expected an operation such as git.branch: a letter, and at most 127 letters, digits, - _ . behind it',
    "more is not known",
    "it is written for protocol 3, this host speaks 1",
    '"x.wasm" is no .ts, .mts, .js, .mjs or .json file',
    "hook main is in gone.ts, which the package does not have",
  ]);
});

test.each(["01.0.0", "1.0", "1.0.0-", "1.0.0-01", "1.0.0-a..b", "1.0.0+", "1.0.0-a+b+c"])(
  "%s is no version",
  (version) => {
    expect(readProblem({ "main.ts": "" }, { version })).toContain(`version is "${version}"`);
  },
);

test.each(["0.0.0", "1.20.300", "1.0.0-rc.1", "1.0.0-0a.-", "1.0.0+001", "1.0.0-a.1+b.2"])(
  "%s is a version",
  (version) => {
    expect(create({ "main.ts": "" }, { version }).version).toBe(version);
  },
);

test("a key that is there twice, and a byte order mark, are named", () => {
  const text = JSON.stringify(manifest);
  const twice = text.replace('"main":', '"main":"other.ts","main":').replace("}}", '},"name":"any"}');
  expect(readProblem({ "mod.json": twice, "main.ts": "" })).toBe(
    'mod.json: there is a second "main"; there is a second "name"',
  );
  expect(readProblem({ "mod.json": `\ufeff${text}`, "main.ts": "" })).toBe(
    "mod.json is no JSON: it begins with a byte order mark (BOM); save it as UTF-8 without one",
  );
});

test("no manifest, and one that is no JSON", () => {
  expect(() => createPackage({ "main.ts": "" })).toThrow("there is no mod.json");
  expect(() => createPackage({ "mod.json": "{" }, "/mods/x")).toThrow("/mods/x/mod.json is no JSON");
});
