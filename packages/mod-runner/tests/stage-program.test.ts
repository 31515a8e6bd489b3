import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Target, targets } from "@codex-js/platforms";
import { createElf, createMachO } from "@codex-js/platforms/testing";
import { expect, test } from "vitest";
import { readNeededVersions } from "../scripts/platforms/read-needed-versions.ts";
import { describeStaged, stageProgram } from "../scripts/platforms/stage-program.ts";
import { readInterpreter } from "../src/find-runner/program-interpreter.ts";
import { createTempDir } from "./temp-dir.ts";

const find = (id: string): Target => targets.find((target) => target.id === id)!;
const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

interface Built {
  program?: Buffer;
  manifest?: object;
  notices?: string;
}

/** A folder as a native build leaves it, and an empty platform package. */
function createFolders(target: Target, built: Built = {}) {
  const root = createTempDir();
  const platformDir = join(root, "platform");
  mkdirSync(platformDir);
  const { program = createElf(62), manifest = {}, notices = "of others" } = built;
  const fields = {
    version: 1,
    program: "codex-js-mod-runner",
    triple: target.triple,
    sha256: digest(program),
  };
  write(join(root, "native/state.json"), JSON.stringify({ version: 1, status: "built", target: target.id }));
  write(join(root, "native", target.id, "codex-js-mod-runner"), program);
  write(join(root, "native", target.id, "runner.json"), JSON.stringify({ ...fields, ...manifest }));
  write(join(root, "native", target.id, "THIRD-PARTY-NOTICES.txt"), notices);
  return { target, platformDir, nativeDir: join(root, "native"), binariesDir: undefined };
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Linked with the loader at this path. */
function createLinked(loader: string): Buffer {
  const elf = createElf(62);
  elf.writeUInt32LE(3, 64);
  elf.writeBigUInt64LE(1000n, 64 + 8);
  elf.writeBigUInt64LE(BigInt(loader.length + 1), 64 + 32);
  elf.write(`${loader}\0`, 1000);
  return elf;
}

/** Asks for one version of one library: the section with it, and one with the names. */
function createVersioned(version: string): Buffer {
  const elf = createLinked("/lib64/ld-linux-x86-64.so.2");
  const table = elf.length - 2 * 64;
  elf.writeUInt32LE(0x6ffffffe, table + 4);
  elf.writeBigUInt64LE(2000n, table + 24);
  elf.writeUInt32LE(1, table + 40);
  elf.writeUInt32LE(1, table + 44);
  elf.writeUInt16LE(1, 2000 + 2);
  elf.writeUInt32LE(16, 2000 + 8);
  elf.writeUInt32LE(1, 2016 + 8);
  elf.writeBigUInt64LE(3000n, table + 64 + 24);
  elf.write(`\0${version}\0`, 3000);
  return elf;
}

test("a program is laid out with its manifest, its notices and its mode", async () => {
  const folders = createFolders(find("linux-x64"));
  // The fixture has no exec bit, as a downloaded artifact has none.
  expect(await stageProgram(folders)).toEqual({ status: "built", sizeBytes: createElf(62).length });
  const { platformDir } = folders;
  expect(readdirSync(platformDir, { recursive: true }).sort()).toEqual([
    "THIRD-PARTY-NOTICES.txt",
    "bin",
    "bin/codex-js-mod-runner",
    "build.json",
    "runner.json",
  ]);
  expect(statSync(join(platformDir, "bin/codex-js-mod-runner")).mode & 0o777).toBe(0o755);
  expect(JSON.parse(readFileSync(join(platformDir, "runner.json"), "utf8"))).toEqual({
    version: 1,
    program: "bin/codex-js-mod-runner",
    triple: "x86_64-unknown-linux-gnu",
    sha256: digest(createElf(62)),
  });
});

test("another target's is left to its own machine, and what an earlier build has left goes", async () => {
  const folders = createFolders(find("linux-x64"));
  await stageProgram(folders);
  const target = find("darwin-arm64");
  const reason = "the release workflow builds it, on a machine for darwin-arm64";
  expect(await stageProgram({ ...folders, target })).toEqual({ status: "left-out", reason });
  expect(readdirSync(folders.platformDir)).toEqual(["build.json"]);
  expect(JSON.parse(readFileSync(join(folders.platformDir, "build.json"), "utf8"))).toEqual({
    version: 1,
    status: "left-out",
    reason,
  });
});

test("what other machines have built goes through the same checks", async () => {
  const folders = createFolders(find("darwin-arm64"), { program: createMachO(0x100000c) });
  const { nativeDir } = folders;
  const elsewhere = { ...folders, nativeDir: "/nowhere", binariesDir: nativeDir };
  expect(await stageProgram(elsewhere)).toMatchObject({ status: "built" });
  expect(await stageProgram({ ...elsewhere, target: find("darwin-x64") })).toEqual({
    status: "left-out",
    reason: "CODEX_JS_MOD_RUNNER_BINARIES has none for darwin-x64",
  });
});

test.each<[string, Built, string[]]>([
  [
    "another program than its manifest says",
    { manifest: { sha256: "0".repeat(64) } },
    ["and its runner.json says 000"],
  ],
  [
    "another target's",
    { program: createMachO(0x100000c) },
    ["a program for another platform than linux-x64"],
  ],
  ["the beginning of one", { program: createElf(62).subarray(0, 5000) }, ["no whole program"]],
  [
    "one of another triple",
    { manifest: { triple: "x86_64-unknown-linux-musl" } },
    ["says x86_64-unknown-linux-musl"],
  ],
  [
    "one for another C library",
    { program: createLinked("/lib/ld-musl-x86_64.so.1") },
    ["which is not of glibc"],
  ],
  ["one for a newer glibc", { program: createVersioned("GLIBC_2.36") }, ["asks for GLIBC_2.36, newer than"]],
  [
    "one that a newer loader alone loads",
    { program: createVersioned("GLIBC_ABI_DT_RELR") },
    ["asks for GLIBC_ABI_DT_RELR, newer than"],
  ],
  ["one without notices", { notices: "" }, ["THIRD-PARTY-NOTICES.txt is not there"]],
  [
    "one that is too large, with all else that is wrong",
    { program: Buffer.concat([createElf(62), Buffer.alloc(52_000_000)]), notices: "" },
    ["allowed are 52000000", "THIRD-PARTY-NOTICES.txt is not there"],
  ],
])("refused: %s", async (_, built, said) => {
  const folders = createFolders(find("linux-x64"), built);
  const outcome = await stageProgram(folders);
  expect(outcome).toEqual({
    status: "faulty",
    problems: said.map((text) => expect.stringContaining(text)),
  });
  expect(readdirSync(folders.platformDir)).toEqual([]);
});

test("a glibc that is old enough is fine, and so is a program that asks for no loader", async () => {
  for (const program of [createVersioned("GLIBC_2.34"), createElf(62)]) {
    expect(await stageProgram(createFolders(find("linux-x64"), { program }))).toMatchObject({
      status: "built",
    });
  }
});

test.skipIf(process.platform !== "linux")("of a real program: its loader and the versions it needs", () => {
  const interpreter = readInterpreter("/bin/sh");
  expect(interpreter).toMatch(/^\/lib.*\/ld-/);
  const versions = readNeededVersions(readFileSync("/bin/sh"));
  expect(versions.every((version) => /^[\w.]+$/.test(version))).toBe(true);
  // musl has no versions.
  const isGlibc = !interpreter!.includes("musl");
  expect(versions.some((version) => version.startsWith("GLIBC_"))).toBe(isGlibc);
});

test("of seven tasks without V8 none repeats what the build has said in one line", () => {
  const leftOut = { status: "left-out", reason: "why" } as const;
  const describeWith = (inputs?: string) =>
    describeStaged(leftOut, inputs === undefined ? {} : { CODEX_JS_NATIVE: inputs });
  expect([
    describeWith("skipped:CODEX_JS_V8_NO_RUST"),
    describeWith("0123+rustc 1.88.0"),
    describeWith("binaries:0123"),
    describeWith(),
    describeStaged({ status: "built", sizeBytes: 3 }, { CODEX_JS_NATIVE: "0123+rustc 1.88.0" }),
  ]).toEqual([undefined, undefined, "left out: why", "left out: why", "3 bytes"]);
});
