/// <reference path="./size-limit-plugins.d.ts" />
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import type { PackedTarball } from "@codex-js/pack";
import esbuildPlugin from "@size-limit/esbuild";
import filePlugin from "@size-limit/file";
import sizeLimit from "size-limit";
import { extract } from "tar";
import { checkBundle } from "./check-budget.ts";
import type { BundleBudget, BundleSizes } from "./types.ts";

/**
 * Bundles what a user's `import` of the packed tarball pulls in, with Node's builtins and the package's
 * own dependencies left outside: tree-shaken and minified by esbuild, compressed with brotli.
 */
export async function measureBundle(bundle: BundleBudget, tarball: PackedTarball): Promise<BundleSizes> {
  try {
    const measured = {
      ...bundle,
      measuredBytes: await withTempDir("codex-js-bundle", (dir) => measureIn(dir, bundle, tarball)),
    };
    return { ...measured, problems: checkBundle(measured) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `import ${bundle.import} from "${bundle.package}" cannot be bundled: ${reason}`;
    const hint = "see that the built package exports it";
    return {
      ...bundle,
      measuredBytes: null,
      problems: [{ code: "CODEX_JS_SIZE_BUNDLE_FAILED", package: bundle.package, message, hint }],
    };
  }
}

async function measureIn(dir: string, bundle: BundleBudget, tarball: PackedTarball): Promise<number> {
  const installed = join(dir, "node_modules", bundle.package);
  await mkdir(installed, { recursive: true });
  await extract({ file: tarball.file, cwd: installed, strip: 1 });
  const entry = join(dir, "entry.mjs");
  // Exported again, so that nothing of it is shaken off as unused.
  await writeFile(entry, `export ${bundle.import} from "${bundle.package}";\n`);
  const check = {
    files: [entry],
    modifyEsbuildConfig: (config: object) => ({
      ...config,
      platform: "node",
      format: "esm",
      external: Object.keys(tarball.manifest.dependencies ?? {}),
      logLevel: "silent",
    }),
  };
  const [result] = await keepMaxListeners(
    () => sizeLimit([...esbuildPlugin, ...filePlugin], { checks: [check] }) as Promise<{ size: number }[]>,
  );
  return result!.size;
}

/**
 * size-limit sets the process's listener limit to its number of files and leaves it there, and Node then
 * warns of our own handlers as of a leak. It does so before it first waits, but that is its own business.
 */
async function keepMaxListeners<T>(run: () => Promise<T>): Promise<T> {
  const limit = process.getMaxListeners();
  try {
    const running = run();
    process.setMaxListeners(limit);
    return await running;
  } finally {
    process.setMaxListeners(limit);
  }
}
