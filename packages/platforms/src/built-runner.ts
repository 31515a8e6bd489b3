import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Host, readHost, targets } from "./targets.ts";

/** The mod runner's program within its platform package. */
export const runnerProgramPath = "bin/codex-js-mod-runner";

/** A mod runner of this repository's checkout. */
export interface BuiltRunner {
  /** Absolute; undefined where there is none. */
  program: string | undefined;
  /** Where it was looked for, absolute; nothing on a platform that has no mod runner. */
  places: readonly string[];
}

/**
 * The runner that CODEX_JS_MOD_RUNNER_PATH names, else the one that the build has left for this machine. Of two C
 * libraries only this machine's own has been built.
 * @param root absolute, of the repository
 */
export function findBuiltRunner(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  { platform, arch }: Host = readHost(),
): BuiltRunner {
  const { CODEX_JS_MOD_RUNNER_PATH: named } = env;
  const built = targets
    .filter(({ os, cpu, modRunner }) => os === platform && cpu === arch && modRunner !== false)
    .map(({ id }) => join(root, "packages/mod-runner/platforms", id, runnerProgramPath));
  const places = named ? [resolve(named)] : built;
  return { program: places.find((path) => existsSync(path)), places };
}

/** One line for a user; `pnpm build` mends it where the platform has a mod runner. */
export function describeMissingRunner({ places }: BuiltRunner): string {
  if (places.length === 0) return "no mod runner is built for this platform";
  return `there is no mod runner at ${places.join(" or ")}`;
}
