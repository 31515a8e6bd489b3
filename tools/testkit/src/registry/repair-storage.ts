import { glob, readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Removes what a registry that was killed left half done: partial files, and tarballs that no version
 * names. verdaccio stores a tarball before its version, and would refuse that version for ever after.
 */
export async function repairStorage(storageDir: string): Promise<void> {
  for await (const file of glob("{*,@*/*}/package.json", { cwd: storageDir })) {
    await repairPackage(join(storageDir, dirname(file)));
  }
}

async function repairPackage(packageDir: string): Promise<void> {
  const known = await readTarballNames(packageDir);
  const isLeftOver = (file: string) =>
    /\.tmp-?\d+$/.test(file) || (file.endsWith(".tgz") && !known.has(file));
  for (const file of (await readdir(packageDir)).filter(isLeftOver)) {
    await rm(join(packageDir, file), { force: true });
  }
}

/** The tarballs that verdaccio's own metadata of a package knows, from here and from the uplink. */
async function readTarballNames(packageDir: string): Promise<Set<string>> {
  const metadata = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")) as {
    versions?: Record<string, { dist?: { tarball?: string } }>;
    _distfiles?: Record<string, unknown>;
  };
  const published = Object.values(metadata.versions ?? {}).map(({ dist }) => basename(dist?.tarball ?? ""));
  return new Set([...published, ...Object.keys(metadata._distfiles ?? {})]);
}
