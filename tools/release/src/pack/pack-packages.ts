import { rm } from "node:fs/promises";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import { findLeftOut, type LeftOut, listPublicPackages, type PackedTarball, packTwice } from "@codex-js/pack";
import type { ReleaseLayout } from "../layout.ts";
import type { PlannedPackage, ReleasePlan } from "../plan/plan.ts";
import type { BuildRecord } from "../staging/build-record.ts";
import { describeStaleBuild } from "../staging/require-staged.ts";
import type { Manifest, ManifestPackage } from "./manifest.ts";

/**
 * Packs every planned package from the staging copy, each twice and byte-identical, into the out dir. A rehearsal
 * leaves out the platform packages that only other machines can build.
 * @throws ToolError CODEX_JS_RELEASE_BUILD_STALE, CODEX_JS_RELEASE_PLATFORM_MISSING (usage), and of `packTwice`
 */
export async function packPackages(
  context: CliContext,
  layout: ReleaseLayout,
  plan: ReleasePlan,
  build: BuildRecord,
  onPackage?: (name: string) => void,
): Promise<Manifest> {
  const { tarballsDir } = layout;
  // Tarballs of earlier versions would only wait to be mistaken for these.
  await rm(tarballsDir, { recursive: true, force: true });
  const staged = new Map((await listPublicPackages(build.stagingDir)).map((pkg) => [pkg.name, pkg]));
  const packages: ManifestPackage[] = [];
  const leftOut: LeftOut[] = [];
  for (const planned of plan.packages) {
    context.signal.throwIfAborted();
    onPackage?.(planned.name);
    const pkg = staged.get(planned.name);
    if (pkg?.version !== planned.to) {
      throw describeStaleBuild(
        `the staging copy has ${planned.name} at ${pkg?.version ?? "no version"}, expected ${planned.to}`,
      );
    }
    const missing = await findLeftOut(pkg);
    if (missing !== undefined) {
      leftOut.push(missing);
      continue;
    }
    const tarball = await packTwice(pkg, {
      root: build.stagingDir,
      outDir: tarballsDir,
      context,
    });
    packages.push(describePackage(planned, tarball));
  }
  if (plan.target === "npm") requireAll(leftOut);
  return {
    version: 1,
    commit: build.commit,
    dirty: build.dirty,
    packages: packages.map((pkg) => withoutLeftOut(pkg, leftOut)),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/**
 * A package whose platform package is missing installs everywhere and works nowhere: a release has all of them.
 * @throws ToolError CODEX_JS_RELEASE_PLATFORM_MISSING (usage) with each that is not there
 */
function requireAll(leftOut: readonly LeftOut[]): void {
  if (leftOut.length === 0) return;
  const lines = leftOut.map(({ name, reason }) => `\n  ${name}: ${reason}`);
  throw new ToolError({
    code: "CODEX_JS_RELEASE_PLATFORM_MISSING",
    message: `a release needs every platform package, and these have not been built${lines.join("")}`,
    hint: "build each on its machine (pnpm workflow native), gather the folders, and name them in CODEX_JS_MOD_RUNNER_BINARIES",
    exitCode: exitCodes.usage,
  });
}

/** A manifest names only what it has. */
function withoutLeftOut(pkg: ManifestPackage, leftOut: readonly LeftOut[]): ManifestPackage {
  const isThere = (name: string) => !leftOut.some((one) => one.name === name);
  return { ...pkg, dependsOn: pkg.dependsOn.filter(isThere), platforms: pkg.platforms.filter(isThere) };
}

function describePackage(planned: PlannedPackage, tarball: PackedTarball): ManifestPackage {
  return {
    name: tarball.name,
    version: tarball.version,
    tag: planned.tag,
    filename: tarball.filename,
    integrity: tarball.integrity,
    sha256: tarball.sha256,
    packedBytes: tarball.packedBytes,
    unpackedBytes: tarball.unpackedBytes,
    files: tarball.files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    dependsOn: planned.dependsOn,
    platforms: planned.platforms,
  };
}
