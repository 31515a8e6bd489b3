import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliContext, runWithContext } from "@codex-js/cli-kit";
import { targets } from "@codex-js/platforms";
import type { FlakyFile } from "@codex-js/testkit/flaky-server";
import { expect, test } from "vitest";
import { defineCli } from "../src/define-cli.ts";
import { isRepositoryLock, readLock, repositoryLockFile } from "../src/index.ts";
import { nameReleaseAssets } from "../src/lock/release-assets.ts";
import { archive, createContext, createFixture, type Fixture, sha256, target } from "./fixture.ts";

async function runCommand(fixture: Fixture, argv: string[], env: NodeJS.ProcessEnv = {}) {
  let [stdout, stderr] = ["", ""];
  const context: CliContext = {
    ...createContext(fixture, env),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    fetch: globalThis.fetch,
  };
  const exitCode = await runWithContext(defineCli, context, argv);
  return { exitCode, stdout, stderr };
}

test("fetch --json prints the report and nothing else", async () => {
  const fixture = await createFixture();
  const run = await runCommand(fixture, ["fetch", "--target", target, "--json"], {
    CODEX_JS_V8_LOCK: fixture.lockFile,
  });
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ version: 1, v8: "1.2.3", lock: fixture.lockFile });
  expect(run.stderr).toContain(`V8 archive for ${target} from ${new URL(fixture.server.url).host}`);
});

test("a changed file of the cache is told on stderr, and what replaces it", async () => {
  const fixture = await createFixture();
  const argv = ["fetch", "--lock", fixture.lockFile, "--all"];
  const [, path = ""] = /^RUSTY_V8_ARCHIVE=(.+)$/m.exec((await runCommand(fixture, argv)).stdout) ?? [];
  writeFileSync(path, "changed");
  const { stderr } = await runCommand(fixture, argv);
  expect(stderr.split("\n")).toEqual([
    `✓ V8 binding for ${target}: in the cache, verified`,
    `! ${path} has changed (expected SHA-256 ${sha256(archive)}, found ${sha256(Buffer.from("changed"))}); it is not used`,
    `… V8 archive for ${target} from ${new URL(fixture.server.url).host}`,
    expect.stringMatching(/^✓ V8 archive for .+: verified, 200\.\d kB/),
    "",
  ]);
});

test("fetch prints what a shell needs, for every target with --all", async () => {
  const fixture = await createFixture();
  const run = await runCommand(fixture, ["fetch", "--all", "--lock", "v8.lock.json"]);
  expect(run.stdout).toMatch(/^# V8 1\.2\.3 for x86_64-unknown-linux-gnu\nRUSTY_V8_ARCHIVE=.+\.a\.gz$/m);
  expect(run.stdout).toMatch(/^RUSTY_V8_SRC_BINDING_PATH=.+\.rs$/m);
});

test.each([
  [["fetch", "--all", "--target", target], "cannot be used with"],
  [["fetch", "--lock", ""], "CODEX_JS_CLI_EMPTY_PATH"],
  [["fetch", "--mirror", ""], "CODEX_JS_CLI_EMPTY_PATH"],
  [["fetch", "--lock", "nothing.json"], "CODEX_JS_V8_LOCK"],
  [["lock"], "missing required argument"],
  [["lock", "latest"], "CODEX_JS_V8_VERSION"],
])("%j is a wrong command line", async (argv, said) => {
  const run = await runCommand(await createFixture(), argv);
  expect([run.exitCode, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain(said);
});

test("what is outside fails with 3", async () => {
  const fixture = await createFixture();
  const run = await runCommand(fixture, ["fetch", "--lock", "v8.lock.json", "--target", target, "--offline"]);
  expect([run.exitCode, run.stdout]).toEqual([3, ""]);
  expect(run.stderr).toContain("CODEX_JS_V8_OFFLINE");
});

test.each([
  [["fetch", "--lock", "v8.lock.json", "--target", target, "--offline"], 3, "CODEX_JS_V8_OFFLINE"],
  [["lock", "latest"], 2, "CODEX_JS_V8_VERSION"],
])("%j --json that fails prints the error as one document, too", async (argv, exitCode, code) => {
  const run = await runCommand(await createFixture(), [...argv, "--json"]);
  const { version, error } = JSON.parse(run.stdout);
  expect([run.exitCode, version, error.code]).toEqual([exitCode, 1, code]);
  expect(run.stderr).toContain(`error: ${error.message} (${code})\n  fix: ${error.hint}`);
});

const archiveDigest = "a".repeat(64);
const bindingDigest = "b".repeat(64);

/** A release with checksum files as its workflow writes them. */
function createChecksums(v8: string, triples: string[], change: (text: string) => string = (text) => text) {
  const entries = triples.map((triple): [string, FlakyFile] => {
    const { archive, binding, checksums } = nameReleaseAssets(triple);
    const text = `${archiveDigest}  ${archive}\n${bindingDigest}  ${binding}\n`;
    return [`/rusty-v8-v${v8}/${checksums}`, { content: Buffer.from(change(text)) }];
  });
  return Object.fromEntries(entries);
}

const triples = targets.map(({ triple }) => triple);
const unixTriples = triples.filter((triple) => !triple.includes("windows"));

async function copyRepositoryLock(fixture: Fixture): Promise<string> {
  const file = join(fixture.dir, "copy.lock.json");
  writeFileSync(file, readFileSync(repositoryLockFile));
  return file;
}

test("lock writes what the release's checksum files say", async () => {
  const fixture = await createFixture({ files: createChecksums("150.0.1", triples) });
  const file = await copyRepositoryLock(fixture);
  const argv = ["lock", "150.0.1", "--lock", file, "--mirror", fixture.server.url, "--json"];
  const run = await runCommand(fixture, argv);
  expect(run).toMatchObject({ exitCode: 0 });
  const lock = await readLock(file);
  expect([lock.v8, lock.assets.length, await isRepositoryLock(lock)]).toEqual(["150.0.1", 16, false]);
  expect(lock.assets.filter((asset) => asset.target === "x86_64-pc-windows-msvc")).toEqual([
    {
      target: "x86_64-pc-windows-msvc",
      kind: "archive",
      path: "rusty-v8-v150.0.1/rusty_v8_ptrcomp_sandbox_release_x86_64-pc-windows-msvc.lib.gz",
      sha256: archiveDigest,
    },
    {
      target: "x86_64-pc-windows-msvc",
      kind: "binding",
      path: "rusty-v8-v150.0.1/src_binding_ptrcomp_sandbox_release_x86_64-pc-windows-msvc.rs",
      sha256: bindingDigest,
    },
  ]);
  const summary = JSON.parse(run.stdout) as { digests: unknown[] };
  expect(summary).toMatchObject({ version: 1, v8: "150.0.1", changed: true, kept: [], leftOut: [] });
  expect(summary.digests).toHaveLength(16);
  expect(JSON.parse((await runCommand(fixture, argv)).stdout)).toMatchObject({ changed: false, digests: [] });
});

test("a target without checksums keeps its rows of the same version, and is left out of another", async () => {
  const fixture = await createFixture({
    files: { ...createChecksums("149.2.0", unixTriples), ...createChecksums("150.0.1", unixTriples) },
  });
  const file = await copyRepositoryLock(fixture);
  const flags = ["--lock", file, "--mirror", fixture.server.url, "--json"];
  const same = await runCommand(fixture, ["lock", "149.2.0", ...flags]);
  const windows = ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"];
  expect(JSON.parse(same.stdout)).toMatchObject({ kept: windows, leftOut: [] });
  expect((await readLock(file)).assets.filter(({ url }) => url !== undefined)).toHaveLength(2);
  const next = await runCommand(fixture, ["lock", "150.0.1", ...flags]);
  expect(JSON.parse(next.stdout)).toMatchObject({ kept: [], leftOut: windows });
});

test.each([
  ["an empty checksum file", () => ""],
  ["a web page", () => "<!doctype html><html>Sign in</html>"],
  ["a file with one line", (text: string) => text.split("\n", 1)[0]!],
  ["lines of other files", (text: string) => text.replaceAll("149.2.0", "x").replaceAll("ptrcomp_", "")],
] as const)("%s leaves the lock as it is", async (_name, change) => {
  const fixture = await createFixture({ files: createChecksums("149.2.0", triples, change) });
  const file = await copyRepositoryLock(fixture);
  const before = sha256(readFileSync(file));
  const run = await runCommand(fixture, ["lock", "149.2.0", "--lock", file, "--mirror", fixture.server.url]);
  expect([run.exitCode, run.stdout, sha256(readFileSync(file))]).toEqual([3, "", before]);
  expect(run.stderr).toMatch(/CODEX_JS_V8_(CHECKSUMS|NOT_THE_FILE)/);
});

test("a version that was never released", async () => {
  const fixture = await createFixture();
  const file = await copyRepositoryLock(fixture);
  const run = await runCommand(fixture, ["lock", "1.0.0", "--lock", file, "--mirror", fixture.dir]);
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toContain("there are no checksums of V8 1.0.0");
});
