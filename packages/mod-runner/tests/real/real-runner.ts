import { join } from "node:path";
import { describeMissingRunner, findBuiltRunner } from "@codex-js/platforms/built-runner";

const root = join(import.meta.dirname, "../../../..");
const built = findBuiltRunner(root, process.env);

/**
 * The runner that this workspace has built, or that the environment names; undefined without V8 or a Rust toolchain,
 * and then tests are skipped. On a platform that has a runner, continuous integration has to have built it.
 */
export const realRunner: string | undefined = built.program;

if (realRunner === undefined) {
  const message = `${describeMissingRunner(built)}: pnpm build`;
  if (process.env.CI === "true" && built.places.length > 0) throw new Error(message);
  process.stderr.write(`skipping the tests on the real runner: ${message}\n`);
}

export const examplesDir = join(root, "examples/mods");
