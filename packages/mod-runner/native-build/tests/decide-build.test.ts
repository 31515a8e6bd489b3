import { expect, test } from "vitest";
import { decideBuild, isToldAlready } from "../scripts/decide-build.ts";

test.each([
  [{}, undefined],
  [{ CODEX_JS_NATIVE: `${"0".repeat(64)}+rustc 1.95.0 (59807616e 2026-04-14)` }, undefined],
  [{ TURBO_HASH: "1" }, "turbo was not started by a script of package.json (pnpm build)"],
  [{ TURBO_HASH: "1", CODEX_JS_NATIVE: `${"0".repeat(64)}+rustc 1.95.0` }, undefined],
  [{ CODEX_JS_NATIVE: "skipped:CODEX_JS_V8_NO_RUST" }, "V8 or Rust is missing (CODEX_JS_V8_NO_RUST)"],
  [
    { CODEX_JS_NATIVE: "unsupported:x86_64-pc-windows-msvc" },
    "there is no mod runner for x86_64-pc-windows-msvc",
  ],
  [{ CODEX_JS_NATIVE: "binaries:00" }, "other machines have built it"],
])("%j: %s", (env, reason) => {
  expect(decideBuild(env)).toBe(reason);
});

test("what `pnpm build` has said in one line is not said again", () => {
  const isTold = (inputs: string) => isToldAlready({ CODEX_JS_NATIVE: inputs });
  expect([isTold("skipped:CODEX_JS_V8_NO_RUST"), isTold("binaries:00"), isToldAlready({})]).toEqual([
    true,
    false,
    false,
  ]);
});
