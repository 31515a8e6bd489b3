import { expect, test } from "vitest";
import { checkAnswer } from "./check-exchange.ts";
import { findOperation } from "./operations.ts";
import { resolveReference } from "./read-description.ts";

const at = "/repos/o/r";
const find = (method: string, path: string, isUpload = false) =>
  findOperation(method, path, isUpload)?.operation;

/** The description's own example of an answer. */
function readExample(method: string, path: string, status: number): Record<string, unknown> {
  const described = find(method, path)!.description.responses[status]!;
  const { content } = resolveReference(described) as { content: Record<string, { examples: object }> };
  const [example] = Object.values(content["application/json"]!.examples);
  return structuredClone(resolveReference(example as { value: unknown }).value) as Record<string, unknown>;
}

test.each([
  ["POST", `${at}/releases`, 201],
  ["GET", `${at}/releases`, 200],
  ["GET", `${at}/releases/1/assets`, 200],
  ["POST", `${at}/git/refs`, 201],
  ["GET", `${at}/git/ref/tags/v1`, 200],
  ["GET", `${at}/issues/1/comments`, 200],
  ["GET", "/rate_limit", 200],
])("%s %s %i: the description's own example is right", (method, path, status) => {
  const operation = find(method, path)!;
  const known = checkAnswer(operation, status, readExample(method, path, status));
  // Some examples lack what their own schema requires; nothing else is wrong with them.
  expect(known.filter((problem) => !problem.includes("must have required property"))).toEqual([]);
});

test("an answer is wrong with a key too many, one too few, another type, another status", () => {
  const operation = find("POST", `${at}/git/refs`)!;
  const example = readExample("POST", `${at}/git/refs`, 201);
  const { ref: _, ...less } = example;
  expect([
    checkAnswer(operation, 201, { ...example, colour: "red" }),
    checkAnswer(operation, 201, less),
    checkAnswer(operation, 201, { ...example, object: null }),
    checkAnswer(operation, 201, undefined),
    checkAnswer(operation, 204, undefined),
    checkAnswer(operation, 418, {}),
  ]).toEqual([
    ['answer 201 of git/create-ref: / must NOT have additional properties {"additionalProperty":"colour"}'],
    [`answer 201 of git/create-ref: / must have required property 'ref' {"missingProperty":"ref"}`],
    ['answer 201 of git/create-ref: /object must be object {"type":"object"}'],
    ['answer 201 of git/create-ref: / must be object {"type":"object"}'],
    ["answer 204 of git/create-ref: the operation has no such status"],
    ["answer 418 of git/create-ref: the operation has no such status"],
  ]);
});

test("the more literal path wins, and each host has its own operations", () => {
  expect([
    find("GET", `${at}/releases/latest`)?.id,
    find("GET", `${at}/releases/7`)?.id,
    find("GET", `${at}/git/ref/tags%2Fa%2Fb`)?.id,
    find("POST", `${at}/releases/7/assets`)?.id,
    find("POST", `${at}/releases/7/assets`, true)?.id,
    find("GET", `${at}/releases`, true)?.id,
  ]).toEqual([
    "repos/get-latest-release",
    "repos/get-release",
    "git/get-ref",
    undefined,
    "repos/upload-release-asset",
    undefined,
  ]);
});
