import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { checkLockFiles } from "./check-locks.ts";
import { checkV8Lock } from "./check-v8-lock.ts";

test("lock files are in git, a crate's own or that of its workspace", () => {
  expect(checkLockFiles(["pnpm-lock.yaml", "a/Cargo.toml", "a/Cargo.lock", "a/crates/b/Cargo.toml"])).toEqual(
    [],
  );
  expect(checkLockFiles(["native/Cargo.toml", "other/Cargo.lock"]).map(({ subject }) => subject)).toEqual([
    "pnpm-lock.yaml",
    "native/Cargo.lock",
  ]);
});

test("no other lock file for V8 than the repository's", () =>
  withTempDir("codex-js-v8-lock", async (root) => {
    mkdirSync(join(root, "tools", "v8-prebuilt"), { recursive: true });
    writeFileSync(join(root, "tools", "v8-prebuilt", "v8.lock.json"), "{}\n");
    writeFileSync(join(root, "same.json"), "{}\n");
    writeFileSync(join(root, "other.json"), "{ }\n");
    const check = (lock?: string) => checkV8Lock(root, { cwd: root, env: { CODEX_JS_V8_LOCK: lock } });
    expect(await check()).toEqual([]);
    expect(await check("same.json")).toEqual([]);
    const found = [expect.objectContaining({ code: "CODEX_JS_RELEASE_V8_LOCK" })];
    expect(await check("other.json")).toEqual(found);
    expect(await check("absent.json")).toEqual(found);
  }));
