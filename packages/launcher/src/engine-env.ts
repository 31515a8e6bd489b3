import type { PackageManager } from "./package-manager.ts";

const markers: Record<PackageManager, string> = {
  npm: "CODEX_MANAGED_BY_NPM",
  pnpm: "CODEX_MANAGED_BY_PNPM",
  bun: "CODEX_MANAGED_BY_BUN",
  "vite-plus": "CODEX_MANAGED_BY_VITE_PLUS",
};

/**
 * The engine's environment: the user's, with exactly one marker that says who installed it.
 *
 * `packageRoot` is the folder of `@openai/codex`, not of this launcher. The engine pairs it with the marker
 * to say what an update would touch, and every update command it knows is one for `@openai/codex`: with our
 * own folder it would vouch for an update that installs another package beside us. Programs that Codex starts
 * also look for the engine's files below it.
 */
export function createEngineEnv(
  env: NodeJS.ProcessEnv,
  manager: PackageManager,
  packageRoot: string,
): NodeJS.ProcessEnv {
  // Names are compared as Windows does, so that no other spelling of a marker survives there.
  const stale = new Set(Object.values(markers));
  const kept = Object.entries(env).filter(([name]) => !stale.has(name.toUpperCase()));
  return {
    ...Object.fromEntries(kept),
    CODEX_MANAGED_PACKAGE_ROOT: packageRoot,
    [markers[manager]]: "1",
  };
}
