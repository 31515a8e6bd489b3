import { dropDocumentsFrom, writeDocument } from "../documents.ts";
import { createPlan, type PlanTarget } from "../plan/create-plan.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { type PackedRelease, reusePacked } from "../reuse-packed.ts";
import { type ReleaseSession, runStep } from "../session.ts";

/** Plan: versions, order, what the registry has. Begins the out dir anew. */
export function runPlanStep(session: ReleaseSession, target: PlanTarget): Promise<ReleasePlan> {
  const { context, layout } = session;
  return runStep(session, "plan", "Plan", async () => {
    await dropDocumentsFrom(layout.outDir, "plan");
    const plan = await createPlan(context, layout.root, target);
    await writeDocument(layout.outDir, "plan", plan);
    return { value: plan, detail: formatVersions(plan) };
  });
}

export interface Resumable {
  plan: ReleasePlan;
  /** Undefined where nothing, or something else, has been packed. */
  packed: PackedRelease | undefined;
}

/** The same for a release that may have been begun: what was packed of the same plan stays and is used. */
export function runResumePlanStep(session: ReleaseSession, target: PlanTarget): Promise<Resumable> {
  const { context, layout } = session;
  return runStep(session, "plan", "Plan", async () => {
    const plan = await createPlan(context, layout.root, target);
    const packed = await reusePacked(layout, plan);
    if (packed === undefined) await dropDocumentsFrom(layout.outDir, "plan");
    await writeDocument(layout.outDir, "plan", plan);
    const known = packed === undefined ? "" : ", packed and gated before";
    return { value: { plan, packed }, detail: `${formatVersions(plan)}${known}` };
  });
}

function formatVersions({ packages }: ReleasePlan): string {
  return packages.map(({ name, to }) => `${name}@${to}`).join(", ");
}
