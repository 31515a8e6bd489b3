import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { V8LockData } from "./lock-schema.ts";

export function formatLock(lock: V8LockData): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/**
 * Replaces the file in one step.
 * @returns whether its text has changed
 */
export async function writeLock(file: string, lock: V8LockData): Promise<boolean> {
  const text = formatLock(lock);
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return false;
  const temp = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temp, text);
    await rename(temp, file);
    return true;
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_V8_LOCK",
      message: `the lock ${file} cannot be written`,
      hint: "see to the permissions of its folder",
      exitCode: exitCodes.external,
      cause,
    });
  } finally {
    await rm(temp, { force: true });
  }
}
