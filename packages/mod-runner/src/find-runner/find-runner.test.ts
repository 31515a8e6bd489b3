import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Host, type Target, targets } from "@codex-js/platforms";
import { createElf } from "@codex-js/platforms/testing";
import { expect, test } from "vitest";
import { createTempDir } from "../../tests/temp-dir.ts";
import type { ModError } from "../errors.ts";
import { findRunner, platformPackage } from "./find-runner.ts";

const linux: Host = { platform: "linux", arch: "x64" };
const [glibc, musl] = ["linux-x64", "linux-x64-musl"].map(
  (id) => targets.find((target) => target.id === id)!,
) as [Target, Target];

interface Installed {
  version?: string;
  program?: Buffer | string;
  mode?: number;
  manifest?: object | string;
}

/** A project in which the host library, and these platform packages, are installed. */
function createProject(packages: [Target, Installed][]) {
  const dir = createTempDir();
  write(join(dir, "package.json"), "{}");
  const from = join(dir, "node_modules/@codex-js/mod-runner/dist/index.js");
  write(join(dirname(from), "../package.json"), '{"name":"@codex-js/mod-runner"}');
  for (const [
    target,
    { version = "0.0.0", program = createElf(62), mode = 0o755, manifest = {} },
  ] of packages) {
    const folder = join(dir, "node_modules", platformPackage(target));
    write(join(folder, "package.json"), JSON.stringify({ name: platformPackage(target), version }));
    const fields = {
      version: 1,
      program: "codex-js-mod-runner",
      triple: target.triple,
      sha256: "0".repeat(64),
    };
    write(
      join(folder, "runner.json"),
      typeof manifest === "string" ? manifest : JSON.stringify({ ...fields, ...manifest }),
    );
    write(join(folder, "codex-js-mod-runner"), program);
    chmodSync(join(folder, "codex-js-mod-runner"), mode);
  }
  return { dir, find: (host = linux, env = {}, options = {}) => findRunner({ from, host, env, ...options }) };
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** With a dynamic loader that no machine has: as a program for another C library looks. */
function createForeignElf(): Buffer {
  const elf = createElf(62);
  const path = "/lib/ld-nowhere.so.1\0";
  elf.writeUInt32LE(3, 64);
  elf.writeBigUInt64LE(1000n, 64 + 8);
  elf.writeBigUInt64LE(BigInt(path.length), 64 + 32);
  elf.write(path, 1000);
  return elf;
}

function readFault(find: () => unknown): ModError {
  try {
    find();
  } catch (error) {
    expect(error).toMatchObject({ name: "ModError", code: "runner_unavailable" });
    return error as ModError;
  }
  throw new Error("it was found");
}

test("the platform package of this machine, with the digest that its manifest names", () => {
  const { dir, find } = createProject([[glibc, {}]]);
  expect(find()).toEqual({
    path: join(dir, "node_modules/@codex-js/mod-runner-linux-x64/codex-js-mod-runner"),
    source: "package",
    sha256: "0".repeat(64),
    package: "@codex-js/mod-runner-linux-x64",
  });
});

test("of two C libraries it is the one whose loader is there", () => {
  const { find } = createProject([
    [glibc, { program: createForeignElf() }],
    [musl, {}],
  ]);
  expect(find().package).toBe("@codex-js/mod-runner-linux-x64-musl");
});

test.each<[string, Installed, RegExp]>([
  ["another version", { version: "9.9.9" }, /is version 9\.9\.9, and this package 0\.0\.0/],
  ["no exec bit", { mode: 0o644 }, /may not be executed \(chmod \+x/],
  [
    "another C library",
    { program: createForeignElf() },
    /needs \/lib\/ld-nowhere\.so\.1, which this machine does not have/,
  ],
  ["another processor", { program: createElf(183) }, /is a program for another platform than linux x64/],
  ["half a download", { program: createElf(62).subarray(0, 5000) }, /is no program, or only the beginning/],
  ["an error page", { program: "<!DOCTYPE html>" }, /is no program/],
  ["another target's manifest", { manifest: { triple: musl.triple } }, /is for x86_64-unknown-linux-musl/],
  ["no manifest", { manifest: "" }, /runner\.json cannot be read/],
  ["a manifest of the future", { manifest: { version: 2 } }, /is no manifest of version 1/],
  ["a manifest that leads out", { manifest: { program: "../../bin/sh" } }, /is no manifest of version 1/],
  ["a digest that is none", { manifest: { sha256: "abc" } }, /is no manifest of version 1/],
])("a platform package with %s is refused, and how to mend it is told", (_, installed, message) => {
  const error = readFault(createProject([[glibc, installed]]).find);
  expect(error.message).toMatch(message);
  expect(error.hint).toMatch(/install/);
});

test("nothing installed", () => {
  const error = readFault(createProject([]).find);
  expect(error.message).toContain(
    "@codex-js/mod-runner-linux-x64 or @codex-js/mod-runner-linux-x64-musl is not installed",
  );
  expect(error.hint).toBe("run: npm install --include=optional");
});

test.each<Host>([
  { platform: "win32", arch: "x64" },
  { platform: "linux", arch: "ia32" },
  { platform: "freebsd", arch: "x64" },
])("there is none for $platform $arch", (host) => {
  expect(readFault(() => createProject([[glibc, {}]]).find(host)).message).toContain(
    "it exists for linux x64,",
  );
});

test("a runner that was named goes first: the option, then the variable", () => {
  const { dir, find } = createProject([[glibc, {}]]);
  const [one, two] = [join(dir, "one"), join(dir, "two")];
  for (const path of [one, two]) {
    copyFileSync(join(dir, "node_modules/@codex-js/mod-runner-linux-x64/codex-js-mod-runner"), path);
  }
  const env = { CODEX_JS_MOD_RUNNER_PATH: two };
  expect(find(linux, env)).toEqual({ path: two, source: "environment", sha256: undefined });
  const runnerDigest = "d".repeat(64);
  expect(findRunner({ runnerPath: one, runnerDigest, env, host: linux })).toEqual({
    path: one,
    source: "option",
    sha256: runnerDigest,
  });
  // The installed one has to be that one as well.
  expect(find(linux, {}, { runnerDigest })).toMatchObject({ source: "package", sha256: runnerDigest });
  expect(readFault(() => find(linux, { CODEX_JS_MOD_RUNNER_PATH: join(dir, "none") })).message).toBe(
    `CODEX_JS_MOD_RUNNER_PATH names ${join(dir, "none")}, which is not there`,
  );
});

test.each([
  [{ runnerDigest: "zz" }, 'runnerDigest is "zz", expected a SHA-256'],
  [{ runnerPath: 5 }, "runnerPath is 5, expected a text"],
  [{ digest: "" }, "digest is no option"],
])("%j are no options", (options, message) => {
  expect(() => findRunner(options as never)).toThrow(message);
});
