import type { Findings } from "./findings.ts";
import type { ReleaseOptions } from "./options.ts";
import { packRelease } from "./pack-release.ts";
import type { ReleaseSession } from "./session.ts";
import { runPlanStep } from "./steps/plan-step.ts";
import { runPublishStep } from "./steps/publish-step.ts";
import { runSmokeStep } from "./steps/smoke-step.ts";
import type { Rehearsal } from "./targets/rehearsal.ts";

/** The whole release, on a registry that is nobody else's. */
export async function runRehearsalSteps(
  session: ReleaseSession,
  rehearsal: Rehearsal,
  options: ReleaseOptions,
  findings: Findings,
): Promise<void> {
  const { target } = rehearsal;
  const plan = await runPlanStep(session, target);
  findings.plan = plan;
  const { manifest, gates } = await packRelease(session, plan, findings);
  const published = await runPublishStep(session, rehearsal, manifest, gates, (outcome) => {
    findings.published.push(outcome);
  });
  await runSmokeStep(session, {
    venue: rehearsal,
    published,
    runtimes: options.runtimes,
    onReport: (report) => {
      findings.smokes = report;
    },
  });
}
