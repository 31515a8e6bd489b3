import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { runGit } from "../git.ts";

/** Open files at a time. */
const parallel = 32;

/**
 * Copies what git tracks and what it would track (untracked, not ignored), as it is on disk: a working tree
 * with uncommitted changes is copied with them. Symlinks stay symlinks, modes are kept.
 * @param excludeDir absolute; the folder that the copy lies in, which need not be ignored by git
 * @returns the number of files
 */
export async function copyWorkingTree(
  context: CliContext,
  root: string,
  targetDir: string,
  excludeDir: string,
): Promise<number> {
  const listed = await runGit(context, root, [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  const excluded = relative(root, resolve(excludeDir)).split(sep).join("/");
  // A file in a merge conflict is listed once for each side.
  const paths = [...new Set(listed.split("\0"))].filter(
    (path) => path !== "" && path !== excluded && !path.startsWith(`${excluded}/`),
  );
  let copied = 0;
  for (let start = 0; start < paths.length; start += parallel) {
    context.signal.throwIfAborted();
    const batch = paths.slice(start, start + parallel);
    const results = await Promise.all(
      batch.map((path) => copyEntry(join(root, path), join(targetDir, path))),
    );
    copied += results.filter((done) => done).length;
  }
  return copied;
}

/** False for what is no file: one deleted but not yet from the index, a submodule. */
async function copyEntry(from: string, to: string): Promise<boolean> {
  const stats = await lstat(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (stats === undefined || stats.isDirectory()) return false;
  await mkdir(dirname(to), { recursive: true });
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else await copyFile(from, to, constants.COPYFILE_FICLONE);
  return true;
}
