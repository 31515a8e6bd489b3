import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { manifestSchema, runnerSchemas } from "../../generated/schemas.ts";
import { ready, usage } from "../../tests/fake-runner/plan.ts";
import { checkSchema } from "./check-schema.ts";

// The oracle reads the files that the checked schemas come from.
const ajv = new Ajv2020({ strict: false });
const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const protocol = read("../../protocol/messages.schema.json");
ajv.addSchema(protocol);
const isRunnerMessage = ajv.compile({ $ref: `${protocol.$id}#/$defs/RunnerMessage` });
const isManifest = ajv.compile(read("../manifest/mod.schema.json"));

const messages: Record<string, unknown>[] = [
  ready,
  { type: "loaded", id: 1, usage },
  { type: "result", id: 2, value: { a: [1, null] }, usage },
  {
    type: "error",
    id: 3,
    code: "mod_error",
    message: "boom",
    name: "TypeError",
    location: { module: "a.ts", line: 1, column: 2 },
    stack: [{ function: "f", module: "a.ts", line: 1, column: 2 }],
    codeFrame: "x",
    unloaded: true,
    usage,
  },
  { type: "error", id: null, code: "protocol_error", message: "no", reason: "malformed" },
  { type: "hostRequest", callback: 1, request: 1, operation: "op", input: null },
  { type: "log", id: 1, level: "info", text: "x", truncated: true },
  { type: "caches", id: 1, caches: { "a.ts": "AAAA" } },
];
const manifests: Record<string, unknown>[] = [
  { name: "a", version: "1.0.0", protocol: "1", hooks: { main: "main.ts" } },
  {
    $schema: "x",
    name: "status-line",
    version: "1.0.0-rc.1+build",
    description: "d",
    protocol: "1-2",
    hooks: { "a.b": "x/y.ts#default" },
    grants: ["git.branch", "x"],
  },
];

/** Values that a field may be spoilt with. */
const spoilt = [
  null,
  -1,
  0,
  1.5,
  2 ** 60,
  "",
  "x",
  "x".repeat(600),
  true,
  [],
  {},
  [1, 1],
  ["a", "a"],
  { "": 1 },
];

/** Every field left out, one too many, and each field at each depth with each of the values. */
function* spoil(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { ...value, surplus: 1 };
  for (const [key, inner] of Object.entries(value)) {
    const replace = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    if (!Array.isArray(value)) {
      const { [key as keyof typeof value]: _, ...rest } = value;
      yield rest;
    }
    for (const other of spoilt) yield replace(other);
    for (const other of spoil(inner)) yield replace(other);
  }
}

describe.each([
  ["runner messages", { $ref: "RunnerMessage" }, runnerSchemas, messages, isRunnerMessage],
  ["manifests", manifestSchema, {}, manifests, isManifest],
] as const)("%s", (_, schema, definitions, values, oracle) => {
  test.each(values)("is taken: %j", (value) => {
    expect(checkSchema(schema, value, definitions)).toEqual([]);
  });

  test("Ajv says the same of every spoilt one", () => {
    const cases = [...spoilt, ...values.flatMap((value) => [...spoil(value)])];
    const different = cases.filter(
      (value) => oracle(value) !== (checkSchema(schema, value, definitions).length === 0),
    );
    expect(cases.length).toBeGreaterThan(200);
    expect(different).toEqual([]);
  });
});

test("a pattern has a text for people", () => {
  const patterns: string[] = [];
  const texts: string[] = [];
  JSON.stringify(manifestSchema, (key, value: unknown) => {
    if (key === "pattern") patterns.push(String(value));
    if (key === "patternErrorMessage") texts.push(String(value));
    return value;
  });
  expect(patterns.length).toBeGreaterThan(0);
  expect(texts.length).toBe(patterns.length);
});

test("all problems are told, each with its place", () => {
  const manifest = { name: "A b", version: "1", protocol: "1", hooks: {}, grants: ["x", "x"], more: 1 };
  expect(checkSchema(manifestSchema, manifest, {})).toEqual([
    'name is "A b", expected lower-case letters, digits, and - _ . after the first of them',
    'version is "1", expected three numbers as semver has them, such as 1.0.0 or 1.0.0-rc.1',
    "hooks has 0 entries, expected 1 to 64",
    "grants has an item twice",
    "more is not known",
  ]);
});
