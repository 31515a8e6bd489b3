import { expect, test } from "vitest";
import { findEngineTarget, targets } from "./targets.ts";

test("every row has an id and a triple of its own, and a C library exactly on Linux", () => {
  expect(new Set(targets.map((target) => target.id)).size).toBe(targets.length);
  expect(new Set(targets.map((target) => target.triple)).size).toBe(targets.length);
  expect(targets.filter((target) => (target.libc !== undefined) !== (target.os === "linux"))).toEqual([]);
});

test.each([
  ["linux", "x64", "@openai/codex-linux-x64", "x86_64-unknown-linux-musl"],
  ["linux", "arm64", "@openai/codex-linux-arm64", "aarch64-unknown-linux-musl"],
  ["android", "arm64", "@openai/codex-linux-arm64", "aarch64-unknown-linux-musl"],
  ["darwin", "x64", "@openai/codex-darwin-x64", "x86_64-apple-darwin"],
  ["darwin", "arm64", "@openai/codex-darwin-arm64", "aarch64-apple-darwin"],
  ["win32", "x64", "@openai/codex-win32-x64", "x86_64-pc-windows-msvc"],
  ["win32", "arm64", "@openai/codex-win32-arm64", "aarch64-pc-windows-msvc"],
] as const)("%s %s runs %s", (platform, arch, name, triple) => {
  expect(findEngineTarget({ platform, arch })).toEqual({ package: name, triple });
});

test.each([
  ["linux", "ia32"],
  ["freebsd", "x64"],
  ["darwin", "ppc64"],
] as const)("there is no engine for %s %s", (platform, arch) => {
  expect(findEngineTarget({ platform, arch })).toBeUndefined();
});
