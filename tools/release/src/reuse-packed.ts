import { isDeepStrictEqual } from "node:util";
import { ToolError } from "@codex-js/cli-kit";
import { readDocument } from "./documents.ts";
import type { GateReport } from "./gates/gate.ts";
import { requireGated } from "./gates/require-gated.ts";
import type { ReleaseLayout } from "./layout.ts";
import type { Manifest } from "./pack/manifest.ts";
import { readPacked } from "./pack/read-packed.ts";
import type { ReleasePlan } from "./plan/plan.ts";

export interface PackedRelease {
  manifest: Manifest;
  gates: GateReport;
}

/**
 * What an earlier run has packed of the same commit and plan, and every gate has passed: a release that was
 * cut off goes on from there, with the same bytes. Undefined when anything of it is missing or is not the same.
 */
export async function reusePacked(
  layout: ReleaseLayout,
  plan: ReleasePlan,
): Promise<PackedRelease | undefined> {
  try {
    const manifest = await readDocument(layout.outDir, "pack");
    const gates = await readDocument(layout.outDir, "gates");
    if (plan.dirty || !isManifestOf(manifest, plan)) return undefined;
    requireGated(manifest, gates);
    await readPacked(manifest, layout.tarballsDir);
    return { manifest, gates };
  } catch (error) {
    // Not there, not gated, changed: then it is made anew.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Whether these are the packages of the plan, packed from its commit as it stands. */
export function isManifestOf(manifest: Manifest, plan: ReleasePlan): boolean {
  if (manifest.dirty || manifest.commit !== plan.commit) return false;
  const packed = manifest.packages.map(({ name, version, tag, dependsOn, platforms }) => ({
    name,
    version,
    tag,
    dependsOn,
    platforms,
  }));
  const planned = plan.packages.map(({ name, to, tag, dependsOn, platforms }) => ({
    name,
    version: to,
    tag,
    dependsOn,
    platforms,
  }));
  return isDeepStrictEqual(packed, planned);
}
