import { dropDocumentsFrom, writeDocument } from "../documents.ts";
import { createPlan, type PlanTarget } from "../plan/create-plan.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { type ReleaseSession, runStep } from "../session.ts";

/** Plan: versions, order, what the registry has. Begins the out dir anew. */
export function runPlanStep(session: ReleaseSession, target: PlanTarget): Promise<ReleasePlan> {
  const { context, layout } = session;
  return runStep(session, "plan", "Plan", async () => {
    await dropDocumentsFrom(layout.outDir, "plan");
    const plan = await createPlan(context, layout.root, target);
    await writeDocument(layout.outDir, "plan", plan);
    const detail = plan.packages.map(({ name, to }) => `${name}@${to}`).join(", ");
    return { value: plan, detail };
  });
}
