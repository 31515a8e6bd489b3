import { rm } from "node:fs/promises";
import type { CliContext } from "@codex-js/cli-kit";
import { listPublicPackages, type PackedTarball, packTwice } from "@codex-js/pack";
import type { ReleaseLayout } from "../layout.ts";
import type { PlannedPackage, ReleasePlan } from "../plan/plan.ts";
import type { BuildRecord } from "../staging/build-record.ts";
import { describeStaleBuild } from "../staging/require-staged.ts";
import type { Manifest, ManifestPackage } from "./manifest.ts";

/**
 * Packs every planned package from the staging copy, each twice and byte-identical, into the out dir.
 * @throws ToolError CODEX_JS_RELEASE_BUILD_STALE (usage), and of `packTwice`
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
  for (const planned of plan.packages) {
    context.signal.throwIfAborted();
    onPackage?.(planned.name);
    const pkg = staged.get(planned.name);
    if (pkg?.version !== planned.to) {
      throw describeStaleBuild(
        `the staging copy has ${planned.name} at ${pkg?.version ?? "no version"}, expected ${planned.to}`,
      );
    }
    const tarball = await packTwice(pkg, {
      root: build.stagingDir,
      outDir: tarballsDir,
      context,
    });
    packages.push(describePackage(planned, tarball));
  }
  return { version: 1, commit: build.commit, dirty: build.dirty, packages };
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
