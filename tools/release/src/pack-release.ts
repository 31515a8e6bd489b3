import type { Findings } from "./findings.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { PackedRelease } from "./reuse-packed.ts";
import type { ReleaseSession } from "./session.ts";
import { runBuildStep } from "./steps/build-step.ts";
import { runGatesStep } from "./steps/gates-step.ts";
import { runPackStep } from "./steps/pack-step.ts";

/** From a plan to tarballs that every gate has passed: the same for a rehearsal and for a real release. */
export async function packRelease(
  session: ReleaseSession,
  plan: ReleasePlan,
  findings: Findings,
): Promise<PackedRelease> {
  const build = await runBuildStep(session, plan);
  const manifest = await runPackStep(session, plan, build);
  findings.manifest = manifest;
  const gates = await runGatesStep(session, build, manifest, (report) => {
    findings.gates = report;
  });
  return { manifest, gates };
}
