import { existsSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { listParents, toPath } from "./package-dir.ts";

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** How the asking package came onto this machine. */
export interface Installation {
  manager: PackageManager;
  /** True for a command installed for the whole machine: there is no project whose files could be mended. */
  isGlobal: boolean;
  /** Folder that holds `node_modules`. */
  root: string;
  /** The package that asks for the engine; undefined outside of any package. */
  packageName: string | undefined;
}

/** Files that only one package manager leaves, relative to the folder that holds `node_modules`; first match wins. */
const traces: readonly (readonly [string, PackageManager])[] = [
  ["node_modules/.modules.yaml", "pnpm"],
  ["node_modules/.package-lock.json", "npm"],
  ["node_modules/.yarn-state.yml", "yarn"],
  ["node_modules/.yarn-integrity", "yarn"],
  [".pnp.cjs", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["package-lock.json", "npm"],
];

/** Reads from the folders around `from` which package manager put it there, and whether for one project only. */
export function readInstallation(from: string | URL, env: NodeJS.ProcessEnv): Installation {
  const path = toPath(from);
  const root = findInstallRoot(path);
  return {
    manager: readManager(path, root, env),
    isGlobal: isGlobalPath(path) || !existsSync(join(root, "package.json")),
    root,
    packageName: readPackageName(path),
  };
}

function findInstallRoot(path: string): string {
  const inModules = path.indexOf(`${sep}node_modules${sep}`);
  if (inModules !== -1) return path.slice(0, inModules);
  const dirs = listParents(path);
  return dirs.find((dir) => readTrace(dir) !== undefined) ?? dirs[0] ?? path;
}

function readManager(path: string, root: string, env: NodeJS.ProcessEnv): PackageManager {
  const slashed = path.replaceAll("\\", "/");
  // pnpm's own store and Bun's: both by their fixed folder names.
  if (/\/node_modules\/\.pnpm\/|\/store\/v\d+\/links\//.test(slashed)) return "pnpm";
  if (/\/node_modules\/\.bun\/|\/\.bun\/install\/global\//.test(slashed)) return "bun";
  return readTrace(root) ?? readUserAgent(env.npm_config_user_agent) ?? "npm";
}

function readTrace(dir: string): PackageManager | undefined {
  return traces.find(([file]) => existsSync(join(dir, file)))?.[1];
}

function readUserAgent(agent: string | undefined): PackageManager | undefined {
  return agent?.match(/^(npm|pnpm|yarn|bun)\//)?.[1] as PackageManager | undefined;
}

function isGlobalPath(path: string): boolean {
  return /\/pnpm\/global\/|\/\.bun\/install\/global\/|\/yarn\/(Data\/)?global\//.test(
    path.replaceAll("\\", "/"),
  );
}

function readPackageName(path: string): string | undefined {
  const dir = listParents(path).find((parent) => existsSync(join(parent, "package.json")));
  if (dir === undefined) return undefined;
  try {
    return (JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { name?: string }).name;
  } catch {
    return undefined;
  }
}
