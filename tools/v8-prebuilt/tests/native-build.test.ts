import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { type NativeBuildOptions, prepareNativeBuild, readLock } from "../src/index.ts";
import {
  cannot,
  catchError,
  createContext,
  createFixture,
  type Fixture,
  target,
  testPolicy,
} from "./fixture.ts";

/** A machine with a Rust toolchain, unless `env` says otherwise. */
async function prepare(
  fixture: Fixture,
  env: NodeJS.ProcessEnv = {},
  options: Partial<NativeBuildOptions> = {},
) {
  const bin = join(fixture.dir, "bin");
  await mkdir(bin, { recursive: true });
  for (const name of ["cargo", "rustc"]) {
    await writeFile(join(bin, name), `#!/bin/sh\necho "${name} 9.9.9"\n`);
    await chmod(join(bin, name), 0o755);
  }
  return await prepareNativeBuild({
    context: createContext(fixture, { PATH: [bin, process.env.PATH].join(delimiter), ...env }),
    lock: await readLock(fixture.lockFile),
    target,
    crateDir: fixture.dir,
    policy: testPolicy,
    ...options,
  });
}

test.skipIf(process.platform === "win32")("gives a build all it needs", async () => {
  const fixture = await createFixture();
  const build = await prepare(fixture, { npm_config_x: "1" });
  if (build.status !== "ready") throw new Error(build.reason);
  expect(build.toolchain).toEqual({ cargo: "cargo 9.9.9", rustc: "rustc 9.9.9" });
  expect(build.env).toMatchObject(build.v8.env);
  expect(build.env.npm_config_x).toBeUndefined();
});

test.skipIf(process.platform === "win32")(
  "without a network the native part is left out, with the reason",
  async () => {
    const fixture = await createFixture();
    await fixture.server.close();
    expect(await prepare(fixture)).toEqual({
      status: "skipped",
      code: "CODEX_JS_V8_NO_NETWORK",
      reason: `${cannot}${new URL(fixture.server.url).host} cannot be reached (ECONNREFUSED)`,
      hint: expect.stringContaining("--mirror, CODEX_JS_V8_MIRROR"),
    });
  },
);

test("without Rust as well, and nothing is downloaded", async () => {
  const fixture = await createFixture();
  expect(await prepare(fixture, { PATH: join(fixture.dir, "nothing") })).toEqual({
    status: "skipped",
    code: "CODEX_JS_V8_NO_RUST",
    reason: "there is no Rust toolchain: cargo --version fails",
    hint: "install one, see https://rustup.rs",
  });
  expect(fixture.server.requests).toEqual([]);
});

test.each([
  [{ CI: "true" }, {}],
  [{}, { strict: true }],
  [{ CI: "false" }, { strict: true }],
])("%j with %j that is a failure", async (env, options) => {
  const fixture = await createFixture();
  const run = prepare(fixture, { PATH: join(fixture.dir, "nothing"), ...env }, options);
  expect(await catchError(run)).toMatchObject({ code: "CODEX_JS_V8_NO_RUST" });
});

test("a mistake is a failure everywhere", async () => {
  const fixture = await createFixture();
  const run = prepare(fixture, {}, { mirror: "ftp://host/" });
  expect(await catchError(run)).toMatchObject({ code: "CODEX_JS_V8_MIRROR" });
});
