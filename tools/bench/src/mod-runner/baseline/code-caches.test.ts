import { expect, test } from "vitest";
import { createIdentity } from "../bench-mods.ts";
import { createCodeCaches } from "./code-caches.ts";
import type { ModPackage } from "./mod-package.ts";

const key = "5c".repeat(32);

function createPackage(source: string, cachedData?: Buffer): ModPackage {
  const file = { path: "a.ts", source, ...(cachedData === undefined ? {} : { cachedData }) };
  return { mod: createIdentity("a", { "a.ts": source }), files: new Map([["a.ts", file]]) };
}

function sealOne(source: string): string {
  return createCodeCaches(key).seal(createPackage(source, Buffer.from("compiled")))["a.ts"]!;
}

test("what was sealed is taken, with the erased text, and is not sealed again", () => {
  const fresh = createPackage("let a: number");
  const caches = createCodeCaches(key);
  caches.open(fresh, { "a.ts": sealOne("let a: number") });
  expect(fresh.files.get("a.ts")).toMatchObject({ code: "let a        ", isKnown: true });
  expect(fresh.files.get("a.ts")!.cachedData!.toString()).toBe("compiled");
  expect(caches.seal(fresh)).toEqual({});
});

test.each([
  ["another source", "let b: number", key, (bytes: Buffer) => bytes],
  ["another key", "let a: number", "5d".repeat(32), (bytes: Buffer) => bytes],
  ["a flipped bit", "let a: number", key, (bytes: Buffer) => bytes.fill(bytes.at(-1)! ^ 1, bytes.length - 1)],
  ["a cut", "let a: number", key, (bytes: Buffer) => bytes.subarray(0, 20)],
])("%s is dropped", (_, source, otherKey, damage) => {
  const fresh = createPackage(source);
  const bytes = damage(Buffer.from(sealOne("let a: number"), "base64"));
  createCodeCaches(otherKey).open(fresh, { "a.ts": bytes.toString("base64") });
  expect(fresh.files.get("a.ts")).toEqual({ path: "a.ts", source });
});
