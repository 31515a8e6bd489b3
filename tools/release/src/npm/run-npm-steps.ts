import type { Findings } from "../findings.ts";
import { addFlags } from "../keep-flags.ts";
import type { ReleaseOptions } from "../options.ts";
import { packRelease } from "../pack-release.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import type { PackedRelease } from "../reuse-packed.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import { readStatus } from "../status/read-status.ts";
import type { ReleaseStatus } from "../status/status.ts";
import { runAnnounceStep } from "../steps/announce-step.ts";
import { runDraftStep } from "../steps/draft-step.ts";
import { runResumePlanStep } from "../steps/plan-step.ts";
import { runPreflightStep } from "../steps/preflight-step.ts";
import { runPublishStep } from "../steps/publish-step.ts";
import { runSmokeStep } from "../steps/smoke-step.ts";
import type { NpmVenue } from "../venue.ts";

/**
 * A real release, from wherever an earlier one has got to. What is irreversible comes as late as it can: tag and
 * draft first, then npm, then the smokes of what npm serves, and only then the GitHub release is published. So
 * a published GitHub release says that all of it was done.
 */
export async function runNpmSteps(
  session: ReleaseSession,
  venue: NpmVenue,
  options: ReleaseOptions,
  findings: Findings,
): Promise<void> {
  const { plan, packed } = await runResumePlanStep(session, venue.target);
  findings.plan = plan;
  if (packed !== undefined && (await isComplete(session, venue, plan, packed, findings))) return;
  await runPreflightStep(session, venue, plan, packed);
  const released = packed ?? (await packRelease(session, plan, findings));
  const { manifest, gates } = released;
  Object.assign(findings, { manifest, gates });
  // Minutes have passed with building, and now there are bytes to compare.
  if (packed === undefined) await runPreflightStep(session, venue, plan, released);
  await runDraftStep(session, venue, plan, released);
  const published = await runPublishStep(session, venue, manifest, gates, (outcome) => {
    findings.published.push(outcome);
  });
  if (options.smoke === false) {
    // Nobody has seen that it works, and a published GitHub release says that it does.
    const next = "the GitHub release stays a draft; once the smokes have passed: `pnpm release announce`";
    session.log(addFlags(next, options));
    return;
  }
  await runSmokeStep(session, {
    venue,
    published,
    runtimes: options.runtimes,
    onReport: (report) => {
      findings.smokes = report;
    },
  });
  findings.releaseUrl = await runAnnounceStep(session, venue, plan, manifest);
}

/** Looks before it leaps: of a complete release nothing is done again, and nothing is asked for but reads. */
function isComplete(
  session: ReleaseSession,
  venue: NpmVenue,
  plan: ReleasePlan,
  { manifest, gates }: PackedRelease,
  findings: Findings,
): Promise<boolean> {
  return runStep(session, "status", "What is there", async () => {
    const status = await readStatus({ layout: session.layout, venue, plan, manifest });
    if (!status.complete) return { value: false, detail: countOpen(status) };
    Object.assign(findings, { manifest, gates });
    findings.published = manifest.packages.map(({ name, version, integrity }) => ({
      name,
      version,
      integrity,
      state: "already-there",
    }));
    return { value: true, detail: `${status.tag} is complete, nothing to do` };
  });
}

function countOpen({ packages, github }: ReleaseStatus): string {
  const isThere = ({ state }: { state: string }) => state === "there";
  return `${packages.filter(isThere).length} of ${packages.length} packages, ${github.filter(isThere).length} of ${github.length} parts on GitHub`;
}
