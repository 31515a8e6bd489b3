import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readText } from "./config-file.ts";
import { DoctorError, exitCodes } from "./doctor-error.ts";
import type { SettingChange } from "./find-changes.ts";
import { setTomlValue } from "./toml-edit.ts";
import { formatKeyPath, formatValue } from "./toml-literal.ts";
import { formatUnifiedDiff } from "./unified-diff.ts";

/** One file, before and after. */
export interface FilePlan {
  path: string;
  /** Undefined where the file does not exist yet. */
  before: string | undefined;
  after: string;
  diff: string;
}

/** Undefined `backup`: there was no file to keep. */
export interface WrittenFile {
  path: string;
  backup: string | undefined;
}

/**
 * Works out the new text of every file that `changes` name.
 * @param measured the texts that were measured, by path; another one now is an error
 * @throws DoctorError CODEX_JS_DOCTOR_CONFIG_CHANGED, CODEX_JS_DOCTOR_FIX_UNSAFE
 */
export function planFixes(
  changes: readonly SettingChange[],
  measured: ReadonlyMap<string, string | undefined>,
): FilePlan[] {
  return [...new Set(changes.map(({ file }) => file))].flatMap((path) => {
    const before = measured.get(path);
    checkUnchanged(path, before);
    let after = before ?? "";
    for (const change of changes.filter(({ file }) => file === path)) {
      const edited = setTomlValue(after, change.path, change.value);
      if (edited === undefined) throw createUnsafeError(change);
      after = edited;
    }
    return after === before ? [] : { path, before, after, diff: formatUnifiedDiff(path, before, after) };
  });
}

/**
 * Writes one file: a copy of the old one beside it, then the new one by renaming, so that nobody ever reads
 * half of it. A link stays a link: the file that it leads to is replaced.
 * @throws DoctorError CODEX_JS_DOCTOR_CONFIG_CHANGED, CODEX_JS_DOCTOR_CONFIG_LINK,
 * CODEX_JS_DOCTOR_CONFIG_UNWRITABLE; nothing has been changed then
 */
export function writeFix(plan: FilePlan): WrittenFile {
  if (plan.before === undefined) mkdirSync(dirname(plan.path), { recursive: true, mode: 0o700 });
  const target = resolveTarget(plan);
  const stat = statSync(target, { throwIfNoEntry: false });
  checkWritable(target, stat);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    writeDurably(temporary, plan.after, stat);
    const backup = plan.before === undefined ? undefined : writeBackup(target);
    // As late as can be; between this and the next line no system call of ours can help any more.
    checkUnchanged(plan.path, plan.before);
    renameSync(temporary, target);
    return { path: plan.path, backup };
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof DoctorError) throw error;
    throw createUnwritableError(target, (error as NodeJS.ErrnoException).code ?? String(error), error);
  }
}

function resolveTarget({ path, before }: FilePlan): string {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined) return path;
  const fail = (what: string) =>
    new DoctorError({
      code: "CODEX_JS_DOCTOR_CONFIG_LINK",
      message: `${path} ${what}`,
      hint: "make the change by hand where the file really is",
      exitCode: exitCodes.usage,
    });
  let target: string;
  try {
    target = realpathSync(path);
  } catch {
    throw fail("is a link that leads nowhere");
  }
  const stat = statSync(target);
  if (!stat.isFile()) throw fail("is no regular file");
  if (stat.nlink > 1) throw fail("has other names (hard links), which a new file in its place would cut off");
  if (before === undefined) throw fail("is there now, and was not before");
  return target;
}

function checkWritable(target: string, stat: Stats | undefined): void {
  try {
    // Renaming needs no permission on the file: a read-only one is meant to stay as it is.
    if (stat !== undefined) accessSync(target, constants.W_OK);
    accessSync(dirname(target), constants.W_OK);
    // For the superuser every file passes the check above.
    if (stat !== undefined && (stat.mode & 0o222) === 0)
      throw Object.assign(new Error(), { code: "read-only" });
  } catch (cause) {
    throw createUnwritableError(target, (cause as NodeJS.ErrnoException).code ?? String(cause), cause);
  }
}

function writeDurably(path: string, text: string, like: Stats | undefined): void {
  const mode = like === undefined ? 0o600 : like.mode & 0o777;
  const file = openSync(path, "wx", mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (like !== undefined && process.platform !== "win32") restoreOwner(path, like, mode);
}

function restoreOwner(path: string, { uid, gid }: Stats, mode: number): void {
  const now = statSync(path);
  if (now.uid !== uid || now.gid !== gid) chownSync(path, uid, gid);
  // The umask took its part when the file was made.
  chmodSync(path, mode);
}

/** `config.toml.before-doctor`, or the first number behind it that is free. */
function writeBackup(target: string): string {
  for (let count = 1; ; count++) {
    const path = `${target}.before-doctor${count === 1 ? "" : `-${count}`}`;
    try {
      copyFileSync(target, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function checkUnchanged(path: string, before: string | undefined): void {
  if (readText(path) === before) return;
  throw new DoctorError({
    code: "CODEX_JS_DOCTOR_CONFIG_CHANGED",
    message: `${path} has changed since it was measured; nothing was written`,
    hint: "run codex-js doctor --fix again",
    exitCode: exitCodes.usage,
  });
}

function createUnsafeError({ file, path, value }: SettingChange): DoctorError {
  return new DoctorError({
    code: "CODEX_JS_DOCTOR_FIX_UNSAFE",
    message: `${file}: the way ${formatKeyPath(path)} is written there is not for a program to edit`,
    hint: `set it by hand: ${formatKeyPath(path)} = ${formatValue(value)}`,
    exitCode: exitCodes.usage,
  });
}

function createUnwritableError(path: string, reason: string, cause: unknown): DoctorError {
  return new DoctorError({
    code: "CODEX_JS_DOCTOR_CONFIG_UNWRITABLE",
    message: `${path} cannot be written (${reason})`,
    hint: "make the file and its folder writable, or make the change by hand (--fix --dry-run shows it)",
    exitCode: exitCodes.usage,
    cause,
  });
}
