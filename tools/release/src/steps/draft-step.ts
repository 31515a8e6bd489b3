import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { withGithubPlan } from "../assets/github-plan.ts";
import { requireGated } from "../gates/require-gated.ts";
import type { GithubRelease } from "../github/index.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { findReleaseVersion } from "../release-unit.ts";
import type { PackedRelease } from "../reuse-packed.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { NpmVenue } from "../venue.ts";

/**
 * Draft: the tag and a draft of the GitHub release with all its files. It comes before npm, because all of it
 * can still be taken back: a tag that is protected or a file of another release ends it in time.
 * @throws ToolError of `requireGated`: what no gate has seen goes nowhere
 */
export function runDraftStep(
  session: ReleaseSession,
  venue: NpmVenue,
  plan: ReleasePlan,
  { manifest, gates }: PackedRelease,
): Promise<GithubRelease> {
  return runStep(session, "draft", "Draft", async (step) => {
    requireGated(manifest, gates);
    const github = await venue.openGithub();
    const version = requireReleaseVersion(plan);
    return withGithubPlan(session.layout, plan, version, manifest, async (githubPlan) => {
      await github.ensureTag(githubPlan.tag, githubPlan.commit);
      const { release } = await github.ensureDraft(githubPlan);
      let sent = 0;
      for (const asset of githubPlan.assets) {
        session.context.signal.throwIfAborted();
        step.update(asset.name);
        const { change } = await github.ensureAsset({ ...asset, release });
        if (change !== "none") sent += 1;
      }
      const there = githubPlan.assets.length - sent;
      return { value: release, detail: `${githubPlan.tag}, ${sent} files sent, ${there} there already` };
    });
  });
}

/** The preflight has said so before; a step by itself may come without one. */
export function requireReleaseVersion(plan: ReleasePlan): string {
  const version = findReleaseVersion(plan);
  if (version !== undefined) return version;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_VERSIONS_APART",
    message: "the packages of the plan have several versions, and a release has one",
    hint: "pnpm release preflight",
    exitCode: exitCodes.usage,
  });
}
