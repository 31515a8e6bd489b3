import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { withGithubPlan } from "../assets/github-plan.ts";
import { readSourceState } from "../git.ts";
import { compareState } from "../github/index.ts";
import type { Manifest } from "../pack/manifest.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { requireNotStale } from "../preflight/check-stale.ts";
import { verifyDistTags } from "../publish/verify-dist-tags.ts";
import { waitUntilVisible } from "../publish/wait-visible.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { NpmVenue } from "../venue.ts";
import { requireReleaseVersion } from "./draft-step.ts";

/** Announce: the GitHub release is published, last of all and only when all else is there. */
export function runAnnounceStep(
  session: ReleaseSession,
  venue: NpmVenue,
  plan: ReleasePlan,
  manifest: Manifest,
): Promise<string> {
  const { context, layout } = session;
  return runStep(session, "announce", "Announce", async () => {
    requireNotStale({ plan, manifest, source: await readSourceState(context, layout.root) });
    await waitUntilVisible(manifest.packages, {
      context,
      target: venue.target,
      timeoutMs: venue.visibilityTimeoutMs,
    });
    await verifyDistTags(venue.target, manifest);
    const github = await venue.openGithub();
    return withGithubPlan(layout, plan, requireReleaseVersion(plan), manifest, async (githubPlan) => {
      const state = await github.readState(githubPlan);
      const open = compareState(githubPlan, state).filter(
        ({ kind }) => kind !== "draft" && kind !== "edited",
      );
      if (open.length > 0 || state.release === undefined)
        throw describeNotDrafted(open.map(({ message }) => message));
      const { release } = await github.publishRelease(state.release);
      return { value: release.htmlUrl, detail: release.htmlUrl };
    });
  });
}

function describeNotDrafted(messages: readonly string[]): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_NOT_DRAFTED",
    message: `the GitHub release is not ready to be published\n${messages.map((line) => `  ${line}`).join("\n")}`,
    hint: "pnpm release draft",
    exitCode: exitCodes.usage,
  });
}
