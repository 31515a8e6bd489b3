import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { ModError } from "../errors.ts";
import type { RunnerProgram } from "./find-runner.ts";

/** What tells a file from another one, and from what it was. */
type Identity = string;

const verified = new Map<Identity, string>();

/**
 * Reads the program and compares its digest with the one that it has to have: the first time, and again when the
 * file is another one.
 * @param runnerDigest - the option, where that is who says so
 * @throws ModError runner_unavailable
 */
export async function verifyRunner(program: RunnerProgram, runnerDigest?: string): Promise<void> {
  if (program.sha256 === undefined) return;
  const found = await readDigest(program.path);
  if (found === program.sha256) return;
  throw new ModError(
    "runner_unavailable",
    `${program.path} is not the runner that was granted: its SHA-256 is ${found}, expected ${program.sha256}`,
    { hint: runnerDigest === undefined ? reinstallHint : optionHint },
  );
}

const reinstallHint =
  "delete node_modules and install again; where it happens again, find out what changes the file";
const optionHint =
  "the option runnerDigest asks for that: name the digest of this runner there once you trust it, or name another runner";

async function readDigest(path: string): Promise<string> {
  const file = await open(path).catch((cause: Error) => {
    throw new ModError("runner_unavailable", `the runner cannot be read: ${cause.message}`, { cause });
  });
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true });
    const identity = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
    const digest = verified.get(identity) ?? (await hashFile(file));
    verified.set(identity, digest);
    return digest;
  } finally {
    await file.close();
  }
}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, bytesRead));
  }
}
