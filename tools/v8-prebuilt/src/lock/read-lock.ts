import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, resolveUserPath } from "@codex-js/cli-kit";
import { z } from "zod";
import { sizeLimits } from "../limits.ts";
import { v8Error } from "../v8-error.ts";
import { type LockedAsset, lockSchema, type V8LockData } from "./lock-schema.ts";

/** A lock and where it was read. */
export interface V8Lock extends V8LockData {
  /** Absolute. */
  file: string;
  /** SHA-256 of the file's bytes. */
  sha256: string;
}

/** The lock that is kept in git, and that everything published is built on. */
export const repositoryLockFile = join(import.meta.dirname, "..", "..", "v8.lock.json");

/** The lock to use: the flag's, else `CODEX_JS_V8_LOCK`'s, else the repository's. */
export function resolveLockFile({ cwd, env }: Pick<CliContext, "cwd" | "env">, flag?: string): string {
  if (flag !== undefined) return resolveUserPath(cwd, "--lock", flag);
  const { CODEX_JS_V8_LOCK: variable } = env;
  return variable ? resolveUserPath(cwd, "CODEX_JS_V8_LOCK", variable) : repositoryLockFile;
}

/**
 * @param file absolute; default: the repository's
 * @throws ToolError CODEX_JS_V8_LOCK (usage) with everything that is wrong with it
 */
export async function readLock(file = repositoryLockFile): Promise<V8Lock> {
  const bytes = await readBytes(file);
  return { ...parseLock(bytes.toString("utf8"), file), file, sha256: hashBytes(bytes) };
}

/** Whether a lock has the very bytes of the repository's: nothing is published that was built on another. */
export async function isRepositoryLock(lock: Pick<V8Lock, "sha256">): Promise<boolean> {
  return lock.sha256 === hashBytes(await readBytes(repositoryLockFile));
}

/** What the lock has for a target; the archive comes last, it is the large one. */
export function listAssets(lock: V8LockData, target: string): LockedAsset[] {
  const assets = lock.assets.filter((asset) => asset.target === target);
  return assets.sort((a, b) => b.kind.localeCompare(a.kind));
}

export function listTargets(lock: V8LockData): string[] {
  return [...new Set(lock.assets.map(({ target }) => target))];
}

export function parseLock(text: string, file: string): V8LockData {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw lockError(`${file} is no JSON`, cause);
  }
  const { data, error } = lockSchema.safeParse(value);
  if (data !== undefined) return data;
  throw lockError(`${file} is no lock of version 1:\n${z.prettifyError(error)}`);
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    // A device or a pipe has no size and would never end.
    const { size } = await stat(file).then((found) => {
      if (!found.isFile()) throw new Error("it is no file");
      return found;
    });
    if (size > sizeLimits.lockBytes) throw new Error(`it has ${size} B, at most ${sizeLimits.lockBytes} B`);
    return await readFile(file);
  } catch (cause) {
    throw lockError(`the lock ${file} cannot be read`, cause);
  }
}

function lockError(message: string, cause?: unknown) {
  const hint = "give --lock or CODEX_JS_V8_LOCK another file, or leave them out for the repository's own";
  return v8Error("CODEX_JS_V8_LOCK", message, { hint, cause });
}

function hashBytes(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
