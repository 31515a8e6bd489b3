import { join } from "node:path";
import { exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import { findDifference } from "./find-difference.ts";
import { type PackOptions, packPackage } from "./pack-package.ts";
import { placeFile } from "./place-file.ts";
import type { PackedTarball, PublicPackage } from "./types.ts";

/**
 * Packs in two temp folders, compares the bytes, and puts the tarball into `outDir` when they agree.
 * @throws ToolError CODEX_JS_PACK_NOT_REPRODUCIBLE (check failed) naming the first file and byte that
 * differ, and whatever {@link packPackage} throws
 */
export async function packTwice(pkg: PublicPackage, options: PackOptions): Promise<PackedTarball> {
  return withTempDir("codex-js-pack-twice", async (temp) => {
    const first = await packPackage(pkg, { ...options, outDir: join(temp, "first") });
    const second = await packPackage(pkg, { ...options, outDir: join(temp, "second") });
    const difference = await findDifference(first.file, second.file);
    if (difference !== undefined) throw notReproducibleError(first, difference);
    return { ...first, file: await placeFile(first.file, options.outDir) };
  });
}

function notReproducibleError({ filename }: PackedTarball, difference: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_PACK_NOT_REPRODUCIBLE",
    message: `${filename} packed twice is not the same twice: ${difference}`,
    hint: "make that file independent of time, path and environment; nothing may write to dist while packing",
    exitCode: exitCodes.checkFailed,
  });
}
