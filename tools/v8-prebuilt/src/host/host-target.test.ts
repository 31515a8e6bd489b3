import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findHostTarget, readNativeHost } from "./host-target.ts";

test.each([
  [{ platform: "linux", arch: "x64", libc: "glibc" }, "x86_64-unknown-linux-gnu"],
  [{ platform: "linux", arch: "x64", libc: "musl" }, "x86_64-unknown-linux-musl"],
  [{ platform: "linux", arch: "arm64", libc: "musl" }, "aarch64-unknown-linux-musl"],
  [{ platform: "darwin", arch: "arm64" }, "aarch64-apple-darwin"],
  [{ platform: "win32", arch: "x64" }, "x86_64-pc-windows-msvc"],
] as const)("%j", (host, triple) => {
  expect(findHostTarget(host).triple).toBe(triple);
});

test("another machine is told so", () => {
  expect(() => findHostTarget({ platform: "linux", arch: "riscv64", libc: "glibc" })).toThrow(
    "there is no V8 for this machine (linux riscv64 glibc)",
  );
});

test.skipIf(process.platform !== "linux")("the C library is the one whose loader this machine has", () => {
  const hasGlibc = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"].some((file) =>
    existsSync(file),
  );
  expect(readNativeHost()).toEqual({
    platform: "linux",
    arch: process.arch,
    libc: hasGlibc ? "glibc" : "musl",
  });
});
