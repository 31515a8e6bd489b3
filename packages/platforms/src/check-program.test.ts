import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkProgram } from "./check-program.ts";
import { type Host, readHost } from "./targets.ts";
import { createTempDir } from "./testing/fake-install.ts";
import { createElf, createMachO, createPe, createUniversal } from "./testing/fake-program.ts";

const linux: Host = { platform: "linux", arch: "x64" };
const linuxArm: Host = { platform: "linux", arch: "arm64" };
const mac: Host = { platform: "darwin", arch: "x64" };
const macArm: Host = { platform: "darwin", arch: "arm64" };
const windows: Host = { platform: "win32", arch: "x64" };
const windowsArm: Host = { platform: "win32", arch: "arm64" };

function check(content: string | Buffer, host: Host) {
  const path = join(createTempDir(), "codex");
  writeFileSync(path, content);
  return checkProgram(path, host);
}

const programs: [name: string, program: Buffer, host: Host, other: Host][] = [
  ["ELF x64", createElf(62), linux, linuxArm],
  ["ELF arm64", createElf(183), linuxArm, linux],
  ["ELF arm64 on Android", createElf(183), { platform: "android", arch: "arm64" }, macArm],
  ["Mach-O x64", createMachO(0x1000007), mac, macArm],
  ["Mach-O arm64", createMachO(0x100000c), macArm, mac],
  ["universal", createUniversal([0x1000007, 0x100000c]), macArm, linuxArm],
  ["universal of one", createUniversal([0x1000007]), mac, macArm],
  ["PE x64", createPe(0x8664), windows, windowsArm],
  ["PE arm64", createPe(0xaa64), windowsArm, windows],
];

test.each(programs)("%s is for its own platform", (_, program, host, other) => {
  expect([check(program, host), check(program, other)]).toEqual([undefined, "other-platform"]);
});

// What a broken download leaves: everything after the headers, or they themselves.
const measured = programs.filter(([name]) => /^(ELF|Mach-O)/.test(name));
test.each(measured)("%s that was cut off is damaged, wherever it was cut", (_, program, host) => {
  const lengths = [program.length - 1, 5000, 70, 40, 10];
  expect(lengths.map((length) => check(program.subarray(0, length), host))).toEqual(
    lengths.map(() => "damaged"),
  );
});

test.each([
  ["32-bit ELF", createElf(62, { elfClass: 1 })],
  ["big-endian ELF", createElf(62, { endianness: 2 })],
  ["an unknown ELF machine", createElf(0xf3f3)],
])("%s is for another platform", (_, program) => {
  expect(check(program, linux)).toBe("other-platform");
});

test("the program that runs this test is one for this machine", () => {
  expect(checkProgram(process.execPath, readHost())).toBeUndefined();
});

test("a PE file that ends within its headers is damaged", () => {
  for (const length of [50, 130]) {
    expect(check(createPe(0x8664).subarray(0, length), windows)).toBe("damaged");
  }
});

test("a script is taken as it is", () => {
  expect(check("#!/bin/sh\n", linux)).toBeUndefined();
});

// rusty_v8#819 and its like: an error page saved under the binary's name.
test.each([["<!DOCTYPE html>"], ["Not Found"], [""], ["\x7fE"]])("%j is none", (text) => {
  expect(check(text, linux)).toBe("damaged");
});

test("neither is a folder or a missing file", () => {
  expect([
    checkProgram(createTempDir(), linux),
    checkProgram(join(createTempDir(), "nothing"), linux),
  ]).toEqual(["damaged", "damaged"]);
});
