import { dropDocumentsFrom, writeDocument } from "../documents.ts";
import { createGates } from "../gates/create-gates.ts";
import type { GateReport } from "../gates/gate.ts";
import { requireGatesPassed, runGates } from "../gates/run-gates.ts";
import type { Manifest } from "../pack/manifest.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { BuildRecord } from "../staging/build-record.ts";
import { requireStaged } from "../staging/require-staged.ts";
import { turboCacheDir } from "./build-step.ts";

/**
 * Gates: every check of the source and of the tarballs that would be published. All of them run; the report
 * is written and handed to `onReport` before a failure is thrown.
 */
export function runGatesStep(
  session: ReleaseSession,
  build: BuildRecord,
  manifest: Manifest,
  onReport: (report: GateReport) => void,
): Promise<GateReport> {
  const { context, layout } = session;
  return runStep(session, "gates", "Gates", async (step) => {
    requireStaged(layout, build, [...manifest.packages, ...(manifest.leftOut ?? [])]);
    await dropDocumentsFrom(layout.outDir, "gates");
    const gates = await createGates({
      context,
      stagingDir: build.stagingDir,
      cacheDir: turboCacheDir(layout),
      tarballsDir: layout.tarballsDir,
      manifest,
    });
    const report = await runGates(context, gates, manifest, step.update);
    await writeDocument(layout.outDir, "gates", report);
    onReport(report);
    requireGatesPassed(report);
    return { value: report, detail: report.gates.map(({ name }) => name).join(", ") };
  });
}
