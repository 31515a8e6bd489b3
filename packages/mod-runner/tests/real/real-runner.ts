import { existsSync } from "node:fs";
import { join } from "node:path";
import { readHost, targets } from "@codex-js/platforms";

const platformsDir = join(import.meta.dirname, "../../platforms");
const { platform, arch } = readHost();

/** Of two C libraries only this machine's own has been built. */
const candidates = targets
  .filter(({ os, cpu, modRunner }) => os === platform && cpu === arch && modRunner !== false)
  .map(({ id }) => join(platformsDir, id, "bin/codex-js-mod-runner"));
const built = candidates.find((program) => existsSync(program));
const path = process.env.CODEX_JS_MOD_RUNNER_PATH ?? built;

/**
 * The runner that this workspace has built, or that the environment names; undefined without V8 or a Rust toolchain,
 * and then tests are skipped. On a platform that has a runner, continuous integration has to have built it.
 */
export const realRunner: string | undefined = path !== undefined && existsSync(path) ? path : undefined;

if (realRunner === undefined) {
  const message = `there is no mod runner${path === undefined ? ` in ${platformsDir}` : ` at ${path}`}: pnpm build`;
  if (process.env.CI === "true" && candidates.length > 0) throw new Error(message);
  process.stderr.write(`skipping the tests on the real runner: ${message}\n`);
}

export const examplesDir = join(import.meta.dirname, "../../../../examples/mods");
