import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasExecutableHeader, isInsideArchive, isRunnable } from "./engine-files.ts";
import { readHost } from "./targets.ts";
import { createTempDir } from "./testing/fake-install.ts";

const host = readHost();

test.each([
  ["ELF", "7f454c4602"],
  ["Mach-O", "cffaedfe07"],
  ["universal Mach-O", "cafebabe00"],
  ["PE", "4d5a900003"],
  ["script", "23212f6269"],
])("%s is a program", (_, hex) => {
  const path = join(createTempDir(), "codex");
  writeFileSync(path, Buffer.from(hex, "hex"));
  expect(hasExecutableHeader(path)).toBe(true);
});

// rusty_v8#819 and its like: an error page saved under the binary's name.
test.each([["<!DOCTYPE html>"], ["Not Found"], [""], ["\x7fE"]])("%j is none", (text) => {
  const path = join(createTempDir(), "codex");
  writeFileSync(path, text);
  expect(hasExecutableHeader(path)).toBe(false);
});

test("a folder and a missing file are not runnable", () => {
  const dir = createTempDir();
  mkdirSync(join(dir, "codex"));
  expect([
    isRunnable(join(dir, "codex"), host, hasExecutableHeader),
    isRunnable(join(dir, "nothing"), host, hasExecutableHeader),
  ]).toEqual([false, false]);
});

test.skipIf(process.platform === "win32")("a file needs its execute bit", () => {
  const path = join(createTempDir(), "codex");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o644);
  const before = isRunnable(path, host, hasExecutableHeader);
  chmodSync(path, 0o755);
  expect([before, isRunnable(path, host, hasExecutableHeader)]).toEqual([false, true]);
});

test.each([
  ["/app/.yarn/cache/codex.zip/node_modules/@openai/codex/vendor/t/bin/codex", true],
  ["C:\\app\\resources\\app.asar\\node_modules\\@openai\\codex\\vendor\\t\\bin\\codex.exe", true],
  ["/app/app.asar.unpacked/node_modules/@openai/codex/vendor/t/bin/codex", false],
])("%s is inside an archive: %s", (path, expected) => {
  expect(isInsideArchive(path)).toBe(expected);
});
