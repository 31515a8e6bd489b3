import { formatDuration } from "@codex-js/cli-kit";
import { dropDocumentsFrom, writeDocument } from "../documents.ts";
import type { GateReport } from "../gates/gate.ts";
import { requireGated } from "../gates/require-gated.ts";
import type { Manifest } from "../pack/manifest.ts";
import { publishPackages } from "../publish/publish.ts";
import type { PublishOutcome, PublishReport } from "../publish/publish-report.ts";
import type { VisibilityProgress } from "../publish/wait-visible.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { Venue } from "../venue.ts";

/** Publish: only what is missing, dependencies first, each verified as the registry then serves it. */
export function runPublishStep(
  session: ReleaseSession,
  venue: Venue,
  manifest: Manifest,
  gates: GateReport,
  onPackage: (outcome: PublishOutcome) => void,
): Promise<PublishReport> {
  const { context, layout } = session;
  return runStep(session, "publish", "Publish", async (step) => {
    await dropDocumentsFrom(layout.outDir, "publish");
    requireGated(manifest, gates);
    const report = await publishPackages({
      context,
      target: venue.target,
      manifest,
      tarballsDir: layout.tarballsDir,
      onPackage: (outcome) => {
        step.update(`${outcome.name} ${outcome.state}`);
        onPackage(outcome);
      },
      onRetry: session.log,
      visibility: {
        timeoutMs: venue.visibilityTimeoutMs,
        onWaiting: (progress) => {
          step.update(formatWaiting(progress));
          // Half an hour may pass: who reads a log sees that it goes on.
          for (const name of progress.appeared) context.stderr.write(`  ${name} is visible\n`);
        },
      },
    });
    await writeDocument(layout.outDir, "publish", report);
    const published = report.packages.filter(({ state }) => state === "published").length;
    return {
      value: report,
      detail: `${published} published, ${report.packages.length - published} already there with the same bytes`,
    };
  });
}

function formatWaiting({ visible, all, waitedMs }: VisibilityProgress): string {
  return `${visible} of ${all} visible after ${formatDuration(waitedMs)}`;
}
