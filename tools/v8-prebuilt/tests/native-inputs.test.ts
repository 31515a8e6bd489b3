import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findHostTarget, readNativeHost } from "../src/host/host-target.ts";
import { describeNativeInputs } from "../src/index.ts";
import { catchError, createContext, createFixture, type Fixture, testPolicy } from "./fixture.ts";

const hasRunner = findHostTarget(readNativeHost()).modRunner !== false;

function describeIn(fixture: Fixture, env: NodeJS.ProcessEnv = {}, crateDir = fixture.dir) {
  const context = createContext(fixture, { PATH: join(fixture.dir, "nothing"), ...env });
  return describeNativeInputs({ context, crateDir, policy: testPolicy });
}

test.skipIf(!hasRunner)(
  "without Rust the key says why, and so does one line, with what mends it",
  async () => {
    expect(await describeIn(await createFixture())).toEqual({
      env: { CODEX_JS_NATIVE: "skipped:CODEX_JS_V8_NO_RUST" },
      skipped:
        "the native mod runner is left out: there is no Rust toolchain: cargo --version fails (CODEX_JS_V8_NO_RUST); to have it: install one, see https://rustup.rs",
    });
  },
);

test.skipIf(!hasRunner)("in CI that is a failure", async () => {
  const fixture = await createFixture();
  expect(await catchError(describeIn(fixture, { CI: "true" }))).toMatchObject({
    code: "CODEX_JS_V8_NO_RUST",
  });
});

test("a workspace without the crate has nothing native", async () => {
  const fixture = await createFixture();
  expect(await describeIn(fixture, { CI: "true" }, join(fixture.dir, "none"))).toEqual({
    env: {},
    skipped: undefined,
  });
});

test("programs of other machines are told apart by their manifests, and nothing else is needed", async () => {
  const fixture = await createFixture();
  const dir = join(fixture.dir, "binaries");
  const write = async (id: string, manifest: string) => {
    await mkdir(join(dir, id), { recursive: true });
    await writeFile(join(dir, id, "runner.json"), manifest);
    return describeIn(fixture, { CI: "true", CODEX_JS_MOD_RUNNER_BINARIES: "binaries" });
  };
  const one = await write("linux-x64", "1");
  expect(one).toEqual({
    env: {
      CODEX_JS_MOD_RUNNER_BINARIES: dir,
      CODEX_JS_NATIVE: expect.stringMatching(/^binaries:[0-9a-f]{64}$/),
    },
    skipped: undefined,
  });
  expect(await write("linux-x64", "1")).toEqual(one);
  expect(await write("linux-x64", "2")).not.toEqual(one);
  expect(await write("linux-arm64", "1")).not.toEqual(one);
});

test("a folder of programs that is not there is a mistake", async () => {
  const fixture = await createFixture();
  const run = describeIn(fixture, { CODEX_JS_MOD_RUNNER_BINARIES: "none" });
  expect(await catchError(run)).toMatchObject({ code: "CODEX_JS_V8_NO_BINARIES" });
});
