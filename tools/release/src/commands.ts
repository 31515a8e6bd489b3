import { resolve } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import type { SmokeReport } from "@codex-js/smoke";
import { readDocument } from "./documents.ts";
import type { GateReport } from "./gates/gate.ts";
import type { ReleaseLayout } from "./layout.ts";
import { type ReleaseOptions, resolveOptions } from "./options.ts";
import type { Manifest } from "./pack/manifest.ts";
import { createPlan } from "./plan/create-plan.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { PublishReport } from "./publish/publish.ts";
import type { BuildRecord } from "./staging/build-record.ts";
import { runBuildStep } from "./steps/build-step.ts";
import { runGatesStep } from "./steps/gates-step.ts";
import { runPackStep } from "./steps/pack-step.ts";
import { runPlanStep } from "./steps/plan-step.ts";
import { runPublishStep } from "./steps/publish-step.ts";
import { runSmokeStep } from "./steps/smoke-step.ts";
import { withPlanTarget, withRehearsal } from "./with-rehearsal.ts";
import { withSession } from "./with-session.ts";

/** The plan alone; writes nothing, anywhere. */
export function previewPlan(context: CliContext, options: ReleaseOptions): Promise<ReleasePlan> {
  const layout = resolveOptions(context, options);
  return withPlanTarget(context, layout, registryOfSteps(context, layout, options), (target) =>
    createPlan(context, layout.root, target),
  );
}

export function plan(context: CliContext, options: ReleaseOptions): Promise<ReleasePlan> {
  const layout = resolveOptions(context, options);
  return withSession(context, layout, (session) =>
    withPlanTarget(session.context, layout, registryOfSteps(context, layout, options), (target) =>
      runPlanStep(session, target),
    ),
  );
}

export function build(context: CliContext, options: ReleaseOptions): Promise<BuildRecord> {
  const layout = resolveOptions(context, options);
  return withSession(context, layout, async (session) =>
    runBuildStep(session, await readDocument(layout.outDir, "plan")),
  );
}

export function pack(context: CliContext, options: ReleaseOptions): Promise<Manifest> {
  const layout = resolveOptions(context, options);
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
  const layout = resolveOptions(context, options);
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
  const layout = resolveOptions(context, options);
  return withSession(context, layout, async (session) => {
    const manifest = await readDocument(layout.outDir, "pack");
    const passed = await readDocument(layout.outDir, "gates");
    return withRehearsal(session.context, layout, registryOfSteps(context, layout, options), ({ target }) =>
      runPublishStep(session, target, manifest, passed, () => {}),
    );
  });
}

export function smoke(
  context: CliContext,
  options: ReleaseOptions,
  onReport: (report: SmokeReport) => void,
): Promise<SmokeReport> {
  const layout = resolveOptions(context, options);
  return withSession(context, layout, async (session) => {
    const published = await readDocument(layout.outDir, "publish");
    return withRehearsal(session.context, layout, registryOfSteps(context, layout, options), (rehearsal) =>
      runSmokeStep(session, { rehearsal, published, runtimes: options.runtimes, onReport }),
    );
  });
}

/** Steps that run as commands of their own share a registry; it stays in the out dir between them. */
function registryOfSteps(
  context: CliContext,
  layout: ReleaseLayout,
  options: ReleaseOptions,
): { registryDir: string; port: number } {
  const { registryDir, port } = options;
  return {
    registryDir: registryDir === undefined ? layout.registryDir : resolve(context.cwd, registryDir),
    port,
  };
}
