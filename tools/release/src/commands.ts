import type { CliContext } from "@codex-js/cli-kit";
import type { SmokeReport } from "@codex-js/smoke";
import { readDocument } from "./documents.ts";
import type { GateReport } from "./gates/gate.ts";
import { type ReleaseOptions, resolveOptions } from "./options.ts";
import type { Manifest } from "./pack/manifest.ts";
import { createPlan } from "./plan/create-plan.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { PublishReport } from "./publish/publish-report.ts";
import type { BuildRecord } from "./staging/build-record.ts";
import { runBuildStep } from "./steps/build-step.ts";
import { runGatesStep } from "./steps/gates-step.ts";
import { runPackStep } from "./steps/pack-step.ts";
import { runPlanStep } from "./steps/plan-step.ts";
import { runPublishStep } from "./steps/publish-step.ts";
import { runSmokeStep } from "./steps/smoke-step.ts";
import { openPlanTarget } from "./targets/plan-target.ts";
import { withRehearsal } from "./with-rehearsal.ts";
import { withSession } from "./with-session.ts";

/** The plan alone; writes nothing, anywhere. */
export async function previewPlan(context: CliContext, options: ReleaseOptions): Promise<ReleasePlan> {
  const { layout, registryDir } = resolveOptions(context, options);
  return createPlan(context, layout.root, await openPlanTarget(registryDir ?? layout.registryDir));
}

export function plan(context: CliContext, options: ReleaseOptions): Promise<ReleasePlan> {
  const { layout, registryDir } = resolveOptions(context, options);
  return withSession(context, layout, async (session) =>
    runPlanStep(session, await openPlanTarget(registryDir ?? layout.registryDir)),
  );
}

export function build(context: CliContext, options: ReleaseOptions): Promise<BuildRecord> {
  const { layout } = resolveOptions(context, options);
  return withSession(context, layout, async (session) =>
    runBuildStep(session, await readDocument(layout.outDir, "plan")),
  );
}

export function pack(context: CliContext, options: ReleaseOptions): Promise<Manifest> {
  const { layout } = resolveOptions(context, options);
  return withSession(context, layout, async (session) =>
    runPackStep(
      session,
      await readDocument(layout.outDir, "plan"),
      await readDocument(layout.outDir, "build"),
    ),
  );
}

export function gates(
  context: CliContext,
  options: ReleaseOptions,
  onReport: (report: GateReport) => void,
): Promise<GateReport> {
  const { layout } = resolveOptions(context, options);
  return withSession(context, layout, async (session) =>
    runGatesStep(
      session,
      await readDocument(layout.outDir, "build"),
      await readDocument(layout.outDir, "pack"),
      onReport,
    ),
  );
}

export function publish(context: CliContext, options: ReleaseOptions): Promise<PublishReport> {
  const { layout, registryDir } = resolveOptions(context, options);
  return withSession(context, layout, async (session) => {
    const manifest = await readDocument(layout.outDir, "pack");
    const passed = await readDocument(layout.outDir, "gates");
    return withRehearsal(
      session.context,
      layout,
      { registryDir: registryDir ?? layout.registryDir, port: options.port },
      ({ target }) => runPublishStep(session, target, manifest, passed, () => {}),
    );
  });
}

export function smoke(
  context: CliContext,
  options: ReleaseOptions,
  onReport: (report: SmokeReport) => void,
): Promise<SmokeReport> {
  const { layout, registryDir } = resolveOptions(context, options);
  return withSession(context, layout, async (session) => {
    const published = await readDocument(layout.outDir, "publish");
    return withRehearsal(
      session.context,
      layout,
      { registryDir: registryDir ?? layout.registryDir, port: options.port },
      (rehearsal) => runSmokeStep(session, { rehearsal, published, runtimes: options.runtimes, onReport }),
    );
  });
}
