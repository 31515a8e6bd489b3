import { appendFile } from "node:fs/promises";
import { type CliContext, redact, ToolError } from "@codex-js/cli-kit";
import { dropDocument, writeJson } from "./documents.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Findings } from "./findings.ts";
import { keepFlags } from "./keep-flags.ts";
import { runNpmSteps } from "./npm/run-npm-steps.ts";
import { type ReleaseOptions, resolveOptions } from "./options.ts";
import { formatMarkdown } from "./report/format-report.ts";
import type { PackageResult, ReleaseReport } from "./report/report.ts";
import type { ReleaseSession } from "./session.ts";
import { removeStaging } from "./staging/prepare-staging.ts";
import { runBuildStep } from "./steps/build-step.ts";
import { runGatesStep } from "./steps/gates-step.ts";
import { runPackStep } from "./steps/pack-step.ts";
import { runPlanStep } from "./steps/plan-step.ts";
import { runPublishStep } from "./steps/publish-step.ts";
import { runSmokeStep } from "./steps/smoke-step.ts";
import type { Rehearsal } from "./targets/rehearsal.ts";
import { withNpmVenue } from "./venue.ts";
import { withRehearsal } from "./with-rehearsal.ts";
import { withSession } from "./with-session.ts";

export interface ReleaseOutcome {
  report: ReleaseReport;
  /** What ended it, to be thrown once the report is shown. */
  error?: unknown;
}

/**
 * Every step, one after the other. The report goes to report.json in the out dir and, in GitHub Actions, to
 * the job's summary.
 * @throws ToolError of `withSession`, before there is anything to report
 */
export function release(context: CliContext, options: ReleaseOptions): Promise<ReleaseOutcome> {
  const { layout, registryDir, npm } = resolveOptions(context, options);
  const work = async (session: ReleaseSession): Promise<ReleaseOutcome> => {
    const startedAt = context.now().getTime();
    const findings: Findings = { published: [] };
    const report = (error: unknown) =>
      createReport(
        session,
        findings,
        context.now().getTime() - startedAt,
        error,
        npm === undefined ? "rehearsal" : "npm",
      );
    const failed = await catchError(async () => {
      try {
        if (npm !== undefined) {
          await withNpmVenue({ context: session.context, layout, npm, log: session.log }, (venue) =>
            runNpmSteps(session, venue, options, findings),
          );
          return;
        }
        await withRehearsal(session.context, layout, { registryDir, port: options.port }, (rehearsal) =>
          runSteps(session, rehearsal, options, findings),
        );
      } finally {
        await cleanUp(session);
      }
    });
    const failure = keepFlags(failed, options);
    const unsaved = await catchError(() => saveReport(session, report(failure)));
    // A disk too full for the report must not hide what the release failed of.
    const error = failure ?? (unsaved && keepFlags(await explainFailure(unsaved, layout.outDir), options));
    return error === undefined ? { report: report(undefined) } : { report: report(error), error };
  };
  return withSession(context, layout, work, { whole: true });
}

async function catchError(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function runSteps(
  session: ReleaseSession,
  rehearsal: Rehearsal,
  options: ReleaseOptions,
  findings: Findings,
): Promise<void> {
  const { target } = rehearsal;
  const plan = await runPlanStep(session, target);
  findings.plan = plan;
  const build = await runBuildStep(session, plan);
  const manifest = await runPackStep(session, plan, build);
  findings.manifest = manifest;
  const gates = await runGatesStep(session, build, manifest, (report) => {
    findings.gates = report;
  });
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

/** The staging copy is large and made anew each time; with it goes the document that points into it. */
async function cleanUp({ layout }: ReleaseSession): Promise<void> {
  await removeStaging(layout);
  await dropDocument(layout.outDir, "build");
}

function createReport(
  session: ReleaseSession,
  findings: Findings,
  durationMs: number,
  failure: unknown,
  target: string,
): ReleaseReport {
  return {
    version: 1,
    ok: failure === undefined,
    target,
    commit: findings.plan?.commit ?? null,
    dirty: findings.plan?.dirty ?? false,
    durationMs,
    files: { tarballsDir: session.layout.tarballsDir, report: session.layout.reportFile },
    steps: session.steps,
    packages: describePackages(findings),
    gates: findings.gates?.gates ?? [],
    smokes: findings.smokes?.results ?? [],
    ...(findings.releaseUrl === undefined ? {} : { releaseUrl: findings.releaseUrl }),
    ...(failure === undefined ? {} : { error: describeFailure(failure) }),
  };
}

function describePackages({ manifest, published }: Findings): PackageResult[] {
  return (manifest?.packages ?? []).map((pkg) => ({
    name: pkg.name,
    version: pkg.version,
    integrity: pkg.integrity,
    sha256: pkg.sha256,
    packedBytes: pkg.packedBytes,
    unpackedBytes: pkg.unpackedBytes,
    files: pkg.files.length,
    state: published.find(({ name }) => name === pkg.name)?.state ?? "packed",
  }));
}

function describeFailure(failure: unknown): NonNullable<ReleaseReport["error"]> {
  if (failure instanceof ToolError) {
    const { code, message, hint } = failure;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }
  return { code: "CODEX_JS_RELEASE_BUG", message: redact(String(failure)) };
}

async function saveReport({ context, layout }: ReleaseSession, report: ReleaseReport): Promise<void> {
  await writeJson(layout.reportFile, report);
  const summary = context.env.GITHUB_STEP_SUMMARY;
  if (summary !== undefined && summary !== "") await appendFile(summary, formatMarkdown(report));
}
