import { existsSync } from "node:fs";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { SmokeReport } from "@codex-js/smoke";
import { documentFile, readDocument } from "./documents.ts";
import type { GateReport } from "./gates/gate.ts";
import type { GithubRelease } from "./github/index.ts";
import { type ReleaseOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import type { Manifest } from "./pack/manifest.ts";
import { createPlan } from "./plan/create-plan.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { Finding } from "./preflight/finding.ts";
import type { PublishReport } from "./publish/publish-report.ts";
import { type PackedRelease, reusePacked } from "./reuse-packed.ts";
import type { ReleaseSession } from "./session.ts";
import type { BuildRecord } from "./staging/build-record.ts";
import { readStatus } from "./status/read-status.ts";
import type { ReleaseStatus } from "./status/status.ts";
import { runAnnounceStep } from "./steps/announce-step.ts";
import { runBuildStep } from "./steps/build-step.ts";
import { runDraftStep } from "./steps/draft-step.ts";
import { runGatesStep } from "./steps/gates-step.ts";
import { runPackStep } from "./steps/pack-step.ts";
import { runPlanStep } from "./steps/plan-step.ts";
import { runPreflightStep } from "./steps/preflight-step.ts";
import { runPublishStep } from "./steps/publish-step.ts";
import { runSmokeStep } from "./steps/smoke-step.ts";
import { openPlanTarget } from "./targets/plan-target.ts";
import { type NpmVenue, type Venue, withNpmVenue } from "./venue.ts";
import { withRehearsal } from "./with-rehearsal.ts";
import { withSession } from "./with-session.ts";

/** The plan alone; writes nothing, anywhere. */
export async function previewPlan(context: CliContext, options: ReleaseOptions): Promise<ReleasePlan> {
  const { layout, registryDir, npm } = resolveOptions(context, options);
  if (npm === undefined) {
    return createPlan(context, layout.root, await openPlanTarget(registryDir ?? layout.registryDir));
  }
  return withNpmVenue({ context, layout, npm, log: logTo(context) }, ({ target }) =>
    createPlan(context, layout.root, target),
  );
}

export function plan(context: CliContext, options: ReleaseOptions): Promise<ReleasePlan> {
  const { layout, registryDir, npm } = resolveOptions(context, options);
  return withSession(context, layout, async (session) => {
    if (npm === undefined) {
      return runPlanStep(session, await openPlanTarget(registryDir ?? layout.registryDir));
    }
    return withNpmVenue({ context: session.context, layout, npm, log: session.log }, ({ target }) =>
      runPlanStep(session, target),
    );
  });
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

/** Of what was packed, where something was; else of what can be known before. */
export function preflight(
  context: CliContext,
  options: ReleaseOptions,
  onFindings: (findings: Finding[]) => void,
): Promise<void> {
  return inNpmVenue(context, options, "preflight", async (session, venue) => {
    const planned = await readDocument(session.layout.outDir, "plan");
    const packed = await readPackedIfThere(session.layout.outDir);
    await runPreflightStep(session, venue, planned, packed, onFindings);
  });
}

export function draft(context: CliContext, options: ReleaseOptions): Promise<GithubRelease> {
  return inNpmVenue(context, options, "draft", async (session, venue) => {
    const { outDir } = session.layout;
    const [planned, packed] = [await readDocument(outDir, "plan"), await readPackedRelease(outDir)];
    await runPreflightStep(session, venue, planned, packed);
    return runDraftStep(session, venue, planned, packed);
  });
}

export function publish(context: CliContext, options: ReleaseOptions): Promise<PublishReport> {
  const resolved = resolveOptions(context, options);
  const { layout, npm } = resolved;
  return withSession(context, layout, async (session) => {
    const packed = await readPackedRelease(layout.outDir);
    const { manifest, gates: passed } = packed;
    if (npm === undefined) {
      return inRehearsal(session, resolved, options, (venue) =>
        runPublishStep(session, venue, manifest, passed, () => {}),
      );
    }
    const planned = await readDocument(layout.outDir, "plan");
    return withNpmVenue({ context: session.context, layout, npm, log: session.log }, async (venue) => {
      await runPreflightStep(session, venue, planned, packed);
      // A tag that may not be made has to show before npm takes anything.
      await runDraftStep(session, venue, planned, packed);
      return runPublishStep(session, venue, manifest, passed, () => {});
    });
  });
}

export function smoke(
  context: CliContext,
  options: ReleaseOptions,
  onReport: (report: SmokeReport) => void,
): Promise<SmokeReport> {
  const resolved = resolveOptions(context, options);
  const { layout, npm } = resolved;
  return withSession(context, layout, async (session) => {
    const published = await readDocument(layout.outDir, "publish");
    const run = (venue: Venue) =>
      runSmokeStep(session, { venue, published, runtimes: options.runtimes, onReport });
    if (npm === undefined) return inRehearsal(session, resolved, options, run);
    return withNpmVenue({ context: session.context, layout, npm, log: session.log }, run);
  });
}

export function announce(context: CliContext, options: ReleaseOptions): Promise<string> {
  return inNpmVenue(context, options, "announce", async (session, venue) => {
    const { outDir } = session.layout;
    const [planned, manifest] = [await readDocument(outDir, "plan"), await readDocument(outDir, "pack")];
    return runAnnounceStep(session, venue, planned, manifest);
  });
}

/** What is really there, against the working tree's plan; writes nothing and takes no lock. */
export async function status(
  context: CliContext,
  options: ReleaseOptions,
  { current = false }: { current?: boolean } = {},
): Promise<ReleaseStatus> {
  const { layout, npm } = resolveOptions(context, { ...options, to: options.to ?? "npm" });
  return withNpmVenue({ context, layout, npm: npm!, log: logTo(context) }, async (venue) => {
    const planned = await createPlan(context, layout.root, venue.target, { current });
    const packed = await reusePacked(layout, planned);
    return readStatus({ layout, venue, plan: planned, manifest: packed?.manifest });
  });
}

async function readPackedRelease(outDir: string): Promise<PackedRelease> {
  return { manifest: await readDocument(outDir, "pack"), gates: await readDocument(outDir, "gates") };
}

/** Undefined before the gates; documents that are damaged are not taken for missing ones. */
async function readPackedIfThere(outDir: string): Promise<PackedRelease | undefined> {
  const isThere = (["pack", "gates"] as const).every((step) => existsSync(documentFile(outDir, step)));
  return isThere ? readPackedRelease(outDir) : undefined;
}

/** Of a command without a session. */
function logTo({ stderr }: CliContext): (line: string) => void {
  return (line) => void stderr.write(`  ${line}\n`);
}

function inRehearsal<Value>(
  session: ReleaseSession,
  { layout, registryDir }: ResolvedOptions,
  { port }: ReleaseOptions,
  use: (venue: Venue) => Promise<Value>,
): Promise<Value> {
  return withRehearsal(
    session.context,
    layout,
    { registryDir: registryDir ?? layout.registryDir, port },
    use,
  );
}

function inNpmVenue<Value>(
  context: CliContext,
  options: ReleaseOptions,
  step: string,
  use: (session: ReleaseSession, venue: NpmVenue) => Promise<Value>,
): Promise<Value> {
  const { layout, npm } = resolveOptions(context, options);
  if (npm === undefined) throw describeOnlyNpm(step);
  return withSession(context, layout, (session) =>
    withNpmVenue({ context: session.context, layout, npm, log: session.log }, (venue) => use(session, venue)),
  );
}

function describeOnlyNpm(step: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_BAD_TARGET",
    message: `a rehearsal has no step ${step}`,
    hint: `pnpm release ${step} --to npm`,
    exitCode: exitCodes.usage,
  });
}
