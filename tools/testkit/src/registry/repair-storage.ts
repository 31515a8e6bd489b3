import { existsSync } from "node:fs";
import { glob, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, matchesGlob } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { isWholeTarball, readStoredPackage, type StoredPackage } from "./stored-package.ts";

/**
 * Mends what a registry that was killed, or a disk that was full, has left. What came from the uplink is
 * dropped where it is damaged, and is fetched anew. What was published here nobody else has: it is not touched.
 * @param localScopes patterns of names that the uplink never has
 * @throws ToolError CODEX_JS_REGISTRY_STORAGE_DAMAGED (external) naming every file that is
 */
export async function repairStorage(storageDir: string, localScopes: readonly string[]): Promise<void> {
  await repairIndex(storageDir);
  const damaged: string[] = [];
  for (const name of await listPackages(storageDir)) {
    const isLocal = localScopes.some((pattern) => matchesGlob(name, pattern));
    damaged.push(...(await repairPackage(join(storageDir, name), isLocal)));
  }
  if (damaged.length > 0) throw describeDamaged(storageDir, damaged);
}

async function listPackages(storageDir: string): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const file of glob("{*,@*/*}/{package.json,*.tgz}", { cwd: storageDir })) {
    names.add(dirname(file).replaceAll("\\", "/"));
  }
  return names;
}

/** @returns what is damaged and cannot be had from the uplink */
async function repairPackage(packageDir: string, isLocal: boolean): Promise<string[]> {
  const stored = await readStoredPackage(packageDir);
  if (stored !== undefined) {
    await removeLeftOvers(packageDir, stored);
    return findDamaged(packageDir, stored);
  }
  const file = join(packageDir, "package.json");
  // Without the file nothing counts as published.
  if (isLocal && existsSync(file)) return [`${file} is not what the registry wrote`];
  await rm(packageDir, { recursive: true, force: true });
  return [];
}

/**
 * Partial files, and tarballs that no version names: verdaccio stores a tarball before its version, and would
 * refuse that version for ever after.
 */
async function removeLeftOvers(packageDir: string, { tarballs }: StoredPackage): Promise<void> {
  const isLeftOver = (file: string) =>
    /\.tmp-?\d+$/.test(file) || (file.endsWith(".tgz") && !tarballs.has(file));
  for (const file of (await readdir(packageDir)).filter(isLeftOver)) {
    await rm(join(packageDir, file), { force: true });
  }
}

/** Only what was published here, which is small; what came from the uplink is looked at when it is used. */
async function findDamaged(packageDir: string, { tarballs }: StoredPackage): Promise<string[]> {
  const damaged: string[] = [];
  for (const [filename, tarball] of tarballs) {
    if (tarball.origin === "uplink") continue;
    const file = join(packageDir, filename);
    const state = await isWholeTarball(file, tarball);
    if (state === undefined) damaged.push(`${file} is not there`);
    else if (!state) damaged.push(`${file} has other bytes than were published`);
  }
  return damaged;
}

/** verdaccio's list of what was published, for its search; it makes a new one. */
async function repairIndex(storageDir: string): Promise<void> {
  const file = join(storageDir, ".verdaccio-db.json");
  try {
    JSON.parse(await readFile(file, "utf8"));
  } catch {
    await rm(file, { force: true });
  }
}

function describeDamaged(storageDir: string, damaged: readonly string[]): ToolError {
  return new ToolError({
    code: "CODEX_JS_REGISTRY_STORAGE_DAMAGED",
    message: `the registry's storage is damaged\n${damaged.map((line) => `  ${line}`).join("\n")}`,
    hint: `remove ${storageDir} and run the same command again; what was published there is then published anew`,
    exitCode: exitCodes.external,
  });
}
