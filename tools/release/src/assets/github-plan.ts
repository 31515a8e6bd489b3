import { withTempDir } from "@codex-js/cli-kit";
import type { GithubReleasePlan } from "../github/index.ts";
import type { ReleaseLayout } from "../layout.ts";
import type { Manifest } from "../pack/manifest.ts";
import { readPacked } from "../pack/read-packed.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { isPrerelease, nameTag } from "../release-unit.ts";
import { prepareAssets } from "./prepare-assets.ts";
import { readReleaseNotes } from "./release-notes.ts";

/**
 * Hands `use` what GitHub shall have in the end; the files of its assets are there for as long.
 * @param manifest undefined before packing: the plan then has no assets
 * @throws ToolError CODEX_JS_RELEASE_TARBALL_CHANGED (check failed)
 */
export async function withGithubPlan<Value>(
  layout: ReleaseLayout,
  plan: ReleasePlan,
  version: string,
  manifest: Manifest | undefined,
  use: (githubPlan: GithubReleasePlan) => Promise<Value>,
): Promise<Value> {
  const tag = nameTag(version);
  const base = {
    tag,
    commit: plan.commit,
    name: tag,
    body: await readReleaseNotes(layout.root, plan),
    prerelease: isPrerelease(version),
  };
  if (manifest === undefined) return use({ ...base, assets: [] });
  const tarballs = await readPacked(manifest, layout.tarballsDir);
  return withTempDir("codex-js-assets", async (dir) =>
    use({ ...base, assets: await prepareAssets({ version, manifest, tarballs }, dir) }),
  );
}
