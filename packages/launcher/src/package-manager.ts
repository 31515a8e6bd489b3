import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The package managers that the engine knows a marker for; it takes anything else for npm. */
export type PackageManager = "npm" | "pnpm" | "bun" | "vite-plus";

export interface LauncherInstall {
  /** Name of the launcher's package. */
  name: string;
  /** Real path of the launcher's package. */
  root: string;
  /** `process.argv[1]`, absolute: the path as typed or linked, which may lead elsewhere than `root`. */
  entryPath: string;
}

/**
 * Which package manager owns this installation. Evidence on disk goes first, because the environment tells
 * only who started this run: `npm run` in a project starts a pnpm-installed `codex` too.
 */
export function detectPackageManager(install: LauncherInstall, env: NodeJS.ProcessEnv): PackageManager {
  const root = install.root.replaceAll("\\", "/");
  if (/\/\.bun\/install\/global\/|\/node_modules\/\.bun\//.test(root)) return "bun";
  if (root.includes("/node_modules/.pnpm/")) return "pnpm";
  return detectOwner(install) ?? detectFromEnvironment(env);
}

/** Looks above both paths, since a package manager may link either of them, for metadata that names this package. */
function detectOwner(install: LauncherInstall): "pnpm" | "vite-plus" | undefined {
  for (const start of new Set([install.root, dirname(install.entryPath)])) {
    for (let dir = start; ; dir = dirname(dir)) {
      if (isVitePlusOwned(dir, install)) return "vite-plus";
      if (isPnpmOwned(join(dir, "node_modules"), install)) return "pnpm";
      if (dirname(dir) === dir) break;
    }
  }
  return undefined;
}

function isPnpmOwned(nodeModules: string, { name, root }: LauncherInstall): boolean {
  return existsSync(join(nodeModules, ".modules.yaml")) && leadsTo(join(nodeModules, name), root);
}

/**
 * Vite+ keeps `packages/<name>.json` for each global package. The installation lies in `packages/<name>`,
 * or in a folder that `installId` names: appended when it begins with `#`, below `<name>` otherwise.
 */
function isVitePlusOwned(packagesDir: string, { name, root }: LauncherInstall): boolean {
  if (basename(packagesDir) !== "packages") return false;
  const metadata = readJson(join(packagesDir, `${name}.json`));
  if (metadata?.name !== name) return false;
  const id = typeof metadata.installId === "string" ? metadata.installId : "";
  const dir = join(packagesDir, id.startsWith("#") ? `${name}${id}` : join(name, id));
  return [["lib", "node_modules"], ["node_modules"]].some((below) =>
    leadsTo(join(dir, ...below, name), root),
  );
}

function detectFromEnvironment(env: NodeJS.ProcessEnv): "bun" | "npm" {
  const isBun =
    /\bbun\//.test(env.npm_config_user_agent ?? "") || /[\\/]bun(\.exe)?$/i.test(env.npm_execpath ?? "");
  return isBun ? "bun" : "npm";
}

function leadsTo(link: string, root: string): boolean {
  try {
    return realpathSync(link) === root;
  } catch {
    return false;
  }
}

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    // Not there, or not ours to understand: either way no reason to keep Codex from starting.
    return undefined;
  }
}
