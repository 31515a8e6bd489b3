import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { type PackedTarball, readTarball } from "@codex-js/pack";
import type { Manifest, ManifestPackage } from "./manifest.ts";

/**
 * Reads the tarballs of a manifest, in its order. They are the bytes that the manifest names: what is
 * checked and what is published is what was packed.
 * @throws ToolError CODEX_JS_RELEASE_TARBALL_CHANGED (check failed) with every tarball that is not
 */
export async function readPacked(manifest: Manifest, tarballsDir: string): Promise<PackedTarball[]> {
  const read = await Promise.all(manifest.packages.map((pkg) => readOne(pkg, tarballsDir)));
  const changed = read.flatMap((one) => (typeof one === "string" ? [one] : []));
  if (changed.length === 0) return read.filter((one) => typeof one !== "string");
  throw new ToolError({
    code: "CODEX_JS_RELEASE_TARBALL_CHANGED",
    message: `the tarballs are not what was packed\n${changed.map((line) => `  ${line}`).join("\n")}`,
    hint: "pnpm release pack",
    exitCode: exitCodes.checkFailed,
  });
}

/** The tarball, or what is wrong with it. */
async function readOne(pkg: ManifestPackage, tarballsDir: string): Promise<PackedTarball | string> {
  const file = join(tarballsDir, pkg.filename);
  if (!existsSync(file)) return `${file} is not there`;
  const tarball = await readTarball(file).catch((error: Error) => error);
  if (tarball instanceof Error) return tarball.message;
  if (tarball.integrity !== pkg.integrity) {
    return `${file} has integrity ${tarball.integrity}, the manifest says ${pkg.integrity}`;
  }
  const [found, expected] = [tarball, pkg].map(({ name, version }) => `${name}@${version}`);
  return found === expected ? tarball : `${file} is ${found}, the manifest says ${expected}`;
}
