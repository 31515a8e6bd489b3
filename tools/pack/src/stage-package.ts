import { chmod, copyFile, cp, glob, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { cleanManifest } from "./clean-manifest.ts";
import { listBinPaths } from "./entry-points.ts";
import { listPublicPackages } from "./list-public-packages.ts";
import type { PackageManifest, PublicPackage } from "./types.ts";

/**
 * Lays out a workspace in `stagingDir` that has just what `pnpm pack` needs: the catalogs, the public
 * siblings' names and versions for `workspace:` ranges, and the package with what its `files` names.
 * Nothing from outside that list can get into the tarball, because it is not there.
 * @returns the staged package's folder
 * @throws ToolError CODEX_JS_PACK_NOT_BUILT, CODEX_JS_PACK_PRIVATE_DEPENDENCY, CODEX_JS_PACK_WRONG_DIRECTORY
 */
export async function stagePackage(pkg: PublicPackage, root: string, stagingDir: string): Promise<string> {
  checkDirectory(pkg, root);
  const siblings = await listPublicPackages(root);
  checkWorkspaceRanges(pkg, siblings);
  await copyFile(join(root, "pnpm-workspace.yaml"), join(stagingDir, "pnpm-workspace.yaml"));
  // Without `packageManager`: with it, pnpm would look for that exact pnpm on the registry first.
  await writeJson(join(stagingDir, "package.json"), { name: "staging", version: "0.0.0", private: true });
  for (const { name, version, dir } of siblings) {
    if (name !== pkg.name) await writeManifest(join(stagingDir, relative(root, dir)), { name, version });
  }
  const stagedDir = join(stagingDir, relative(root, pkg.dir));
  await writeManifest(stagedDir, cleanManifest(pkg.manifest));
  await copyFiles(pkg, stagedDir);
  await copyDocuments(pkg, root, stagedDir);
  await normaliseModes(stagedDir, listBinPaths(pkg.manifest));
  return stagedDir;
}

function checkDirectory(pkg: PublicPackage, root: string): void {
  const { repository } = pkg.manifest;
  const expected = relative(root, pkg.dir).split(sep).join("/");
  const declared = typeof repository === "object" ? repository.directory : undefined;
  if (declared === undefined || declared === expected) return;
  throw new ToolError({
    code: "CODEX_JS_PACK_WRONG_DIRECTORY",
    message: `${pkg.name}: repository.directory is ${declared}, but the package is in ${expected}`,
    hint: `set "directory": "${expected}" in ${expected}/package.json`,
    exitCode: exitCodes.usage,
  });
}

/** pnpm would resolve a range to a private package, and the user's install would then fail. */
function checkWorkspaceRanges(pkg: PublicPackage, siblings: readonly PublicPackage[]): void {
  const { dependencies, optionalDependencies, peerDependencies } = pkg.manifest;
  const ranges = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const unpublished = ranges
    .filter(([name, range]) => range.startsWith("workspace:") && !siblings.some((one) => one.name === name))
    .map(([name]) => name);
  if (unpublished.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_PACK_PRIVATE_DEPENDENCY",
    message: `${pkg.name} depends on ${unpublished.join(", ")}, which is no public package of this workspace`,
    hint: `move it to the devDependencies of ${pkg.name} and bundle it, or publish it too`,
    exitCode: exitCodes.usage,
  });
}

async function copyFiles(pkg: PublicPackage, stagedDir: string): Promise<void> {
  const missing: string[] = [];
  for (const pattern of pkg.manifest.files ?? []) {
    // pnpm applies what is negated when it packs.
    if (pattern.startsWith("!")) continue;
    let found = false;
    for await (const path of glob(pattern.replace(/^\.?\//, ""), { cwd: pkg.dir })) {
      found = true;
      await copyTree(join(pkg.dir, path), join(stagedDir, path));
    }
    if (!found) missing.push(pattern);
  }
  if (missing.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_PACK_NOT_BUILT",
    message: `${pkg.name} has no ${missing.join(", ")} in ${pkg.dir}, which its "files" names`,
    hint: "run pnpm build",
    exitCode: exitCodes.usage,
  });
}

function copyTree(from: string, to: string): Promise<void> {
  return cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => basename(path) !== "node_modules",
  });
}

async function copyDocuments(pkg: PublicPackage, root: string, stagedDir: string): Promise<void> {
  await copyFile(join(root, "LICENSE"), join(stagedDir, "LICENSE"));
  // A README may be missing: that is for checkPackedManifest to say, with all its other findings.
  await copyFile(join(pkg.dir, "README.md"), join(stagedDir, "README.md")).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
}

/** Modes in a tarball come from the disk, and with them the umask of whoever built; only +x is kept. */
async function normaliseModes(dir: string, executables: readonly string[]): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const ownerMayRun = ((await stat(path)).mode & 0o100) !== 0;
    const isBin = executables.includes(relative(dir, path).split(sep).join("/"));
    await chmod(path, ownerMayRun || isBin ? 0o755 : 0o644);
  }
}

async function writeManifest(dir: string, manifest: PackageManifest): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeJson(join(dir, "package.json"), manifest);
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
