import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Real path of package `name` as seen from the module `from` (file URL or absolute path).
 *
 * Walks `node_modules` itself instead of `require.resolve`, which also searches NODE_PATH: pnpm's command
 * shims set that, so an engine of some other project and version could answer for one that is missing here.
 * Under Yarn's Plug'n'Play there is no `node_modules` and its patched resolver is asked.
 */
export function findPackageDir(from: string | URL, name: string): string | undefined {
  if (process.versions.pnp !== undefined) return resolveWithPnp(from, name);
  const dir = listParents(toPath(from))
    .filter((parent) => basename(parent) !== "node_modules")
    .map((parent) => join(parent, "node_modules", name))
    .find((candidate) => existsSync(join(candidate, "package.json")));
  return dir === undefined ? undefined : realpathSync(dir);
}

/** The folders above `path`, nearest first. */
export function listParents(path: string): string[] {
  const dirs: string[] = [];
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    dirs.push(dir);
    if (dirname(dir) === dir) return dirs;
  }
}

export function toPath(from: string | URL): string {
  return typeof from === "string" && !from.startsWith("file:") ? from : fileURLToPath(from);
}

function resolveWithPnp(from: string | URL, name: string): string | undefined {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
