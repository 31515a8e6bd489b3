import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Target } from "@codex-js/platforms";
import { checkProgram } from "@codex-js/platforms/check-program";
import { readInterpreter } from "../../src/find-runner/program-interpreter.ts";
import { readRunnerManifest } from "../../src/find-runner/runner-manifest.ts";
import { readNeededVersions } from "./read-needed-versions.ts";

/** Stripped. */
const maxBytes = 52_000_000;
/**
 * The oldest glibc that the program may ask for: RHEL 9's, older than those of Ubuntu 22.04 and Debian 12. It is the
 * first one with threads in the C library proper, which every program linked on a newer system asks for.
 */
const newestGlibc = [2, 34] as const;

/** Everything that is wrong with a built program; empty when its package may have it. */
export async function checkBinary(dir: string, target: Target): Promise<string[]> {
  const manifest = readRunnerManifest(dir);
  if (typeof manifest === "string") return [manifest];
  const path = join(dir, manifest.program);
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return [`${path} cannot be read`];
  const problems: string[] = [];
  if (manifest.triple !== target.triple) {
    problems.push(`${dir}/runner.json says ${manifest.triple}, expected ${target.triple}`);
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== manifest.sha256) {
    problems.push(`${path} has the SHA-256 ${sha256}, and its runner.json says ${manifest.sha256}`);
  }
  if (bytes.length > maxBytes) problems.push(`${path} has ${bytes.length} bytes, allowed are ${maxBytes}`);
  const fault = checkProgram(path, { platform: target.os, arch: target.cpu });
  if (fault !== undefined) problems.push(`${path} is ${describeFault(fault, target)}`);
  else if (target.os === "linux") problems.push(...checkLibc(path, bytes, target));
  return [...problems, ...(await checkNotices(dir))];
}

function describeFault(fault: "damaged" | "other-platform", { id }: Target): string {
  return fault === "damaged" ? "no whole program" : `a program for another platform than ${id}`;
}

function checkLibc(path: string, bytes: Buffer, { libc }: Target): string[] {
  const interpreter = readInterpreter(path);
  // Linked statically, it runs with either.
  if (interpreter === undefined) return [];
  const found = interpreter.includes("musl") ? "musl" : "glibc";
  const problems = found === libc ? [] : [`${path} asks for ${interpreter}, which is not of ${libc}`];
  const newer = readNeededVersions(bytes).filter(isNewer);
  if (newer.length > 0) {
    problems.push(`${path} asks for ${newer.join(", ")}, newer than glibc ${newestGlibc.join(".")}`);
  }
  return problems;
}

/** A name without a number stands for a change of the format: packed relocations need a loader of 2.36. */
function isNewer(version: string): boolean {
  if (!version.startsWith("GLIBC_")) return false;
  const [, major, minor] = /^GLIBC_(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return true;
  return Number(major) !== newestGlibc[0] || Number(minor) > newestGlibc[1];
}

async function checkNotices(dir: string): Promise<string[]> {
  const file = join(dir, "THIRD-PARTY-NOTICES.txt");
  const sizeBytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  return sizeBytes > 0 ? [] : [`${file} is not there, and the program has parts of others`];
}
