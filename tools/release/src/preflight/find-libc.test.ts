import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProgram } from "../../tests/programs.ts";
import { findLibc } from "./find-libc.ts";

test("by the loader that a program asks for", () => {
  expect(findLibc(createProgram("linux", "x64", "glibc"))).toBe("glibc");
  expect(findLibc(createProgram("linux", "x64", "musl"))).toBe("musl");
});

test("nothing of a program that is linked statically, of another system's, and of what is no program", () => {
  for (const program of [
    createProgram("linux", "x64"),
    createProgram("darwin", "arm64"),
    Buffer.from("#!/bin/sh"),
  ]) {
    expect(findLibc(program)).toBeUndefined();
  }
});

test.runIf(process.platform === "linux")("a real one: the Node that runs this", () => {
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  const expected = report.header.glibcVersionRuntime === undefined ? "musl" : "glibc";
  expect(findLibc(readFileSync(process.execPath))).toBe(expected);
});
