import { appendFile } from "node:fs/promises";
import type { CliContext } from "@codex-js/cli-kit";
import { dropDocument, writeJson } from "./documents.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Findings } from "./findings.ts";
import { keepFlags } from "./keep-flags.ts";
import { runNpmSteps } from "./npm/run-npm-steps.ts";
import { type ReleaseOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { createReport } from "./report/create-report.ts";
import { formatMarkdown } from "./report/format-report.ts";
import type { ReleaseReport } from "./report/report.ts";
import { runRehearsalSteps } from "./run-rehearsal-steps.ts";
import type { ReleaseSession } from "./session.ts";
import { removeStaging } from "./staging/prepare-staging.ts";
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
  const resolved = resolveOptions(context, options);
  const { layout, npm } = resolved;
  const work = async (session: ReleaseSession): Promise<ReleaseOutcome> => {
    const startedAt = context.now().getTime();
    const findings: Findings = { published: [] };
    const target = npm === undefined ? "rehearsal" : "npm";
    const report = (error: unknown) =>
      createReport(session, findings, context.now().getTime() - startedAt, error, target);
    const failed = await catchError(() =>
      runAt(resolved, session, options, findings).finally(() => cleanUp(session)),
    );
    const failure = keepFlags(failed, options);
    const unsaved = await catchError(() => saveReport(session, report(failure)));
    // A disk too full for the report must not hide what the release failed of.
    const error = failure ?? (unsaved && keepFlags(await explainFailure(unsaved, layout.outDir), options));
    return error === undefined ? { report: report(undefined) } : { report: report(error), error };
  };
  return withSession(context, layout, work, { whole: true });
}

function runAt(
  { layout, registryDir, npm }: ResolvedOptions,
  session: ReleaseSession,
  options: ReleaseOptions,
  findings: Findings,
): Promise<void> {
  const { context, log } = session;
  if (npm !== undefined) {
    return withNpmVenue({ context, layout, npm, log }, (venue) =>
      runNpmSteps(session, venue, options, findings),
    );
  }
  return withRehearsal(context, layout, { registryDir, port: options.port }, (rehearsal) =>
    runRehearsalSteps(session, rehearsal, options, findings),
  );
}

async function catchError(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The staging copy is large and made anew each time; with it goes the document that points into it. */
async function cleanUp({ layout }: ReleaseSession): Promise<void> {
  await removeStaging(layout);
  await dropDocument(layout.outDir, "build");
}

async function saveReport({ context, layout }: ReleaseSession, report: ReleaseReport): Promise<void> {
  await writeJson(layout.reportFile, report);
  const summary = context.env.GITHUB_STEP_SUMMARY;
  if (summary !== undefined && summary !== "") await appendFile(summary, formatMarkdown(report));
}
