import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { isV8Unavailable } from "../v8-error.ts";
import { findRustToolchain, pickRustEnv } from "./rust-toolchain.ts";

const { signal } = new AbortController();

async function writeProgram(dir: string, name: string, script: string): Promise<void> {
  await writeFile(join(dir, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(dir, name), 0o755);
}

test.skipIf(process.platform === "win32")("says which toolchain a build would find", () =>
  withTempDir("codex-js-rust-test", async (dir) => {
    await writeProgram(dir, "cargo", 'echo "cargo 9.9.9"');
    await writeProgram(dir, "rustc", 'echo "rustc 9.9.9"');
    expect(await findRustToolchain({ cwd: dir, env: { PATH: dir }, signal })).toEqual({
      cargo: "cargo 9.9.9",
      rustc: "rustc 9.9.9",
    });
  }),
);

test("a machine without one, or with half of one, is told so in one line", () =>
  withTempDir("codex-js-rust-test", async (dir) => {
    const find = () =>
      findRustToolchain({ cwd: dir, env: { PATH: dir }, signal }).catch((error: unknown) => error);
    const none = await find();
    await writeProgram(dir, "cargo", 'echo "cargo 9.9.9"');
    await writeProgram(dir, "rustc", "echo 'no toolchain is chosen' >&2; exit 1");
    for (const error of [none, await find()]) {
      expect(error).toMatchObject({ code: "CODEX_JS_V8_NO_RUST", exitCode: 3 });
      expect(isV8Unavailable(error)).toBe(true);
      expect((error as Error).message).toMatch(/^there is no Rust toolchain: (cargo|rustc) --version fails$/);
    }
  }));

test("a build sees the user's Rust settings and nothing of npm", () => {
  const env = {
    PATH: "/bin",
    CARGO_HOME: "/c",
    RUSTUP_HOME: "/r",
    RUSTFLAGS: "-g",
    npm_config_x: "1",
    RUSTY_V8_ARCHIVE: "/old",
  };
  expect(pickRustEnv(env)).toEqual({ PATH: "/bin", CARGO_HOME: "/c", RUSTUP_HOME: "/r", RUSTFLAGS: "-g" });
});
