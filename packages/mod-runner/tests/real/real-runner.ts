import { existsSync } from "node:fs";
import { join } from "node:path";

const built = join(import.meta.dirname, "../../native/target/release/codex-js-mod-runner");
const path = process.env.CODEX_JS_MOD_RUNNER_PATH ?? built;

/** The runner that this workspace has built; undefined without a Rust toolchain, and then tests are skipped. */
export const realRunner: string | undefined = existsSync(path) ? path : undefined;

if (realRunner === undefined) {
  const message = `there is no mod runner at ${path}: cargo build --release in native/`;
  if (process.env.CI === "true") throw new Error(message);
  process.stderr.write(`skipping the tests on the real runner: ${message}\n`);
}

export const examplesDir = join(import.meta.dirname, "../../../../examples/mods");
