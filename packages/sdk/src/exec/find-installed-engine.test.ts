import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Codex } from "../codex.ts";
import { findInstalledEngine } from "./find-installed-engine.ts";

test("finds the engine that this package depends on, and its tools", () => {
  const { executablePath, pathDirs } = findInstalledEngine(import.meta.url);
  expect([executablePath, ...pathDirs].map(existsSync)).toEqual([true, true]);
});

test("a platform without an engine", () => {
  expect(() => findInstalledEngine(import.meta.url, { platform: "sunos", arch: "sparc" })).toThrow(
    expect.objectContaining({
      name: "CodexError",
      code: "CODEX_JS_SDK_ENGINE_NOT_FOUND",
      message: "Unsupported platform: sunos (sparc)",
    }),
  );
});

test("an install without its engine", async () => {
  const dir = await mkdtemp(join(tmpdir(), "codex-js-empty-"));
  expect(() => findInstalledEngine(join(dir, "index.js"), { platform: "linux", arch: "x64" })).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_SDK_ENGINE_NOT_FOUND",
      message:
        "Unable to locate Codex CLI binaries. Ensure @openai/codex is installed with optional dependencies.",
      hint: expect.stringContaining("@openai/codex-linux-x64"),
    }),
  );
  await rm(dir, { recursive: true });
});

test("an engine of one's own is not looked up", () => {
  expect(new Codex({ codexPathOverride: "/no/such/engine" }).startThread().id).toBeNull();
});
