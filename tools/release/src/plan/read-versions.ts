import { getReleasePlan } from "@changesets/get-release-plan";
import type { ReleasePlan as ChangesetsPlan } from "@changesets/types";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PublicPackage } from "@codex-js/pack";
import type { ReleaseReason } from "./plan.ts";
import { checkChangesets } from "./read-changesets.ts";

export interface NextVersion {
  to: string;
  reason: ReleaseReason;
  changesets: string[];
}

/**
 * The version that each public package gets, by name, as `changeset version` would write it.
 * @throws ToolError CODEX_JS_RELEASE_BAD_CHANGESET, CODEX_JS_RELEASE_BAD_CHANGESET_CONFIG (usage)
 */
export async function readVersions(
  root: string,
  packages: readonly PublicPackage[],
): Promise<Map<string, NextVersion>> {
  await checkChangesets(
    root,
    packages.map(({ name }) => name),
  );
  const plan = await getReleasePlan(root).catch((cause: unknown) => {
    throw new ToolError({
      code: "CODEX_JS_RELEASE_BAD_CHANGESET_CONFIG",
      message: "changesets cannot make a plan of .changeset/config.json and the pending changesets",
      hint: "see the cause; https://github.com/changesets/changesets/blob/main/docs/config-file-options.md lists the options",
      exitCode: exitCodes.usage,
      cause,
    });
  });
  return new Map(packages.map((pkg) => [pkg.name, pickVersion(pkg, plan)]));
}

function pickVersion(pkg: PublicPackage, plan: ChangesetsPlan): NextVersion {
  const release = plan.releases.find(({ name }) => name === pkg.name);
  if (release === undefined || release.type === "none") {
    return { to: pkg.version, reason: "current", changesets: [] };
  }
  const changesets = [...release.changesets].sort();
  return { to: release.newVersion, reason: changesets.length === 0 ? "dependent" : "changeset", changesets };
}
