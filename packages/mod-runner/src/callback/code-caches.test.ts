import { expect, test } from "vitest";
import { CodeCaches } from "./code-caches.ts";

const modules = { "a.ts": "", "b.ts": "" };

test("a mod gets its own and nobody else's, for modules that it has", () => {
  const caches = new CodeCaches(100);
  caches.add("one", { "a.ts": "AA", "evil.ts": "XX" }, modules);
  caches.add("one", { "b.ts": "BB" }, modules);
  expect([caches.get("one"), caches.get("two")]).toEqual([{ "a.ts": "AA", "b.ts": "BB" }, undefined]);
});

test("the longest unused goes when there are too many", () => {
  const caches = new CodeCaches(10);
  for (const digest of ["one", "two"]) caches.add(digest, { "a.ts": "12345" }, modules);
  caches.get("one");
  caches.add("three", { "a.ts": "12345" }, modules);
  expect(["one", "two", "three"].filter((digest) => caches.get(digest) !== undefined)).toEqual([
    "one",
    "three",
  ]);
});

test("what is larger than all of it is not kept, nor is what it replaces", () => {
  const caches = new CodeCaches(4);
  caches.add("one", { "a.ts": "1234" }, modules);
  caches.add("one", { "b.ts": "1" }, modules);
  expect(caches.get("one")).toBeUndefined();
  expect([new CodeCaches(0).isOn, caches.isOn]).toEqual([false, true]);
});
