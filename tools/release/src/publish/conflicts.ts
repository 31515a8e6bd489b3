import { ToolError } from "@codex-js/cli-kit";
import type { ManifestPackage } from "../pack/manifest.ts";
import { describeRegistry } from "../targets/rehearsal.ts";
import type { PublishedVersion, ReleaseTarget } from "../targets/target.ts";
import { errorClasses } from "./error-classes.ts";

/** A version that the registry has with other bytes than were packed here. */
export interface Conflict {
  pkg: ManifestPackage;
  found: Pick<PublishedVersion, "integrity">;
}

export function describeConflicts(
  target: Pick<ReleaseTarget, "name" | "registryUrl">,
  conflicts: readonly Conflict[],
  consequence: string,
): ToolError {
  const { code, exitCode, remedy } = errorClasses.otherBytes;
  const lines = conflicts.map((conflict) => `  ${formatConflict(conflict)}`);
  return new ToolError({
    code,
    message: `${describeRegistry(target.name, target.registryUrl)} has ${conflicts.length === 1 ? "a version" : `${conflicts.length} versions`} with other bytes; ${consequence}\n${lines.join("\n")}`,
    hint: remedy,
    exitCode,
  });
}

export function formatConflict({ pkg, found }: Conflict): string {
  return `${pkg.name}@${pkg.version}: registry has ${found.integrity || "no integrity"}, built here ${pkg.integrity}`;
}
