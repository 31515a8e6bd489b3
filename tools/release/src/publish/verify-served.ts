import { exitCodes, ToolError } from "@codex-js/cli-kit";
import ssri from "ssri";
import type { ManifestPackage } from "../pack/manifest.ts";
import { describeRegistry } from "../targets/rehearsal.ts";
import type { ReleaseTarget } from "../targets/target.ts";

const dependencyFields = ["dependencies", "optionalDependencies", "peerDependencies", "devDependencies"];
/** Ranges that mean something in this workspace only. */
const localRange = /^(?:workspace|catalog|link|file|portal):/;

/**
 * Looks at a version as a user's package manager would get it: the registry's manifest, its integrity, the
 * bytes behind its tarball URL.
 * @throws ToolError CODEX_JS_RELEASE_SERVED_WRONG (check failed) with everything that is wrong
 */
export async function verifyServed(target: ReleaseTarget, pkg: ManifestPackage): Promise<void> {
  const problems = await findServedProblems(target, pkg);
  if (problems.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_SERVED_WRONG",
    message: `${describeRegistry(target.name, target.registryUrl)} does not serve ${pkg.name}@${pkg.version} as it was published\n${problems
      .map((problem) => `  ${problem}`)
      .join("\n")}`,
    hint: target.remedy,
    exitCode: exitCodes.checkFailed,
  });
}

async function findServedProblems(target: ReleaseTarget, pkg: ManifestPackage): Promise<string[]> {
  const [served, manifest] = await Promise.all([
    target.lookup(pkg.name, pkg.version),
    target.readManifest(pkg.name, pkg.version),
  ]);
  if (served === undefined || manifest === undefined) return ["the packument does not have it"];
  const problems = findLocalRanges(manifest);
  if (served.integrity !== pkg.integrity) {
    problems.push(`dist.integrity is ${served.integrity || "missing"}, expected ${pkg.integrity}`);
  }
  if (served.tarballUrl === "") return [...problems, "dist.tarball is missing"];
  const bytes = await target.download(served.tarballUrl);
  const integrity = ssri.fromData(Buffer.from(bytes), { algorithms: ["sha512"] }).toString();
  if (integrity !== pkg.integrity) {
    problems.push(
      `${served.tarballUrl} is ${bytes.length} B with integrity ${integrity}, expected ${pkg.packedBytes} B with ${pkg.integrity}`,
    );
  }
  return problems;
}

/** Ranges of a registry's manifest that no user can install. */
export function findLocalRanges(manifest: Record<string, unknown>): string[] {
  return dependencyFields.flatMap((field) =>
    Object.entries((manifest[field] ?? {}) as Record<string, string>)
      .filter(([, range]) => localRange.test(range))
      .map(([name, range]) => `the registry's manifest has ${field} > ${name}: ${JSON.stringify(range)}`),
  );
}
