import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import { placeFile } from "./place-file.ts";
import { readTarball } from "./read-tarball.ts";
import { runPnpm } from "./run-pnpm.ts";
import { stagePackage } from "./stage-package.ts";
import type { PackedTarball, PublicPackage } from "./types.ts";

export interface PackOptions {
  /** Absolute path of the workspace. */
  root: string;
  /** Absolute path of the folder that gets the tarball; made when missing. */
  outDir: string;
  context: CliContext;
}

/**
 * Packs a built package with `pnpm pack` in a staging copy; the working tree is only read. The bytes
 * depend on the files' contents and +x bits alone, not on clock, umask, mtimes, user or folder.
 * @throws ToolError CODEX_JS_PACK_NOT_BUILT, CODEX_JS_PACK_NO_PNPM, CODEX_JS_PACK_PRIVATE_DEPENDENCY,
 * CODEX_JS_PACK_WRONG_DIRECTORY (usage), CODEX_JS_PACK_DISK, CODEX_JS_PROCESS_FAILED (external)
 */
export async function packPackage(pkg: PublicPackage, options: PackOptions): Promise<PackedTarball> {
  try {
    return await withTempDir("codex-js-pack", (temp) => packInside(temp, pkg, options));
  } catch (error) {
    throw describeDiskError(error, pkg);
  }
}

async function packInside(temp: string, pkg: PublicPackage, options: PackOptions): Promise<PackedTarball> {
  const stagingDir = join(temp, "workspace");
  const packedDir = join(temp, "packed");
  await mkdir(stagingDir);
  const stagedDir = await stagePackage(pkg, options.root, stagingDir);
  // The level is named so that nobody's own pnpm configuration changes the bytes.
  const args = ["pack", "--pack-destination", packedDir, "--pack-gzip-level", "9"];
  await runPnpm(args, stagedDir, options.context);
  return readTarball(await placeFile(await findTarball(packedDir), options.outDir));
}

async function findTarball(packedDir: string): Promise<string> {
  const [filename, ...others] = await readdir(packedDir);
  if (filename !== undefined && others.length === 0) return join(packedDir, filename);
  throw new ToolError({
    code: "CODEX_JS_PACK_UNEXPECTED_OUTPUT",
    message: `pnpm pack should leave one tarball, it left ${filename === undefined ? "none" : [filename, ...others].join(", ")}`,
    hint: "use the pnpm that packageManager in package.json names",
    exitCode: exitCodes.external,
  });
}

function describeDiskError(error: unknown, pkg: PublicPackage): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || syscall === undefined) return error;
  return new ToolError({
    code: "CODEX_JS_PACK_DISK",
    message: `${pkg.name} could not be packed: ${error.message}`,
    hint:
      code === "ENOSPC"
        ? "free some disk space, or point TMPDIR to a disk that has some"
        : "check that path and its permissions",
    exitCode: exitCodes.external,
    cause: error,
  });
}
