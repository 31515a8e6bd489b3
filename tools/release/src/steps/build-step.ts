import { join } from "node:path";
import { dropDocumentsFrom, writeDocument } from "../documents.ts";
import type { ReleaseLayout } from "../layout.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import { buildPackages } from "../staging/build-packages.ts";
import type { BuildRecord } from "../staging/build-record.ts";
import { prepareStaging } from "../staging/prepare-staging.ts";

/** The working tree's own turbo cache: what `pnpm build` has built there is not built again. */
export function turboCacheDir({ root }: ReleaseLayout): string {
  return join(root, ".turbo", "cache");
}

/** Build: a staging copy with the planned versions, everything built in it. */
export async function runBuildStep(session: ReleaseSession, plan: ReleasePlan): Promise<BuildRecord> {
  const { context, layout } = session;
  await runStep(session, "stage", "Stage", async (step) => {
    await dropDocumentsFrom(layout.outDir, "build");
    await prepareStaging(context, layout, plan, step);
    return { value: undefined, detail: layout.stagingDir };
  });
  return runStep(session, "build", "Build", async (step) => {
    const cached = await buildPackages({
      context,
      stagingDir: layout.stagingDir,
      cacheDir: turboCacheDir(layout),
      onLine: step.update,
    });
    const record: BuildRecord = {
      version: 1,
      commit: plan.commit,
      dirty: plan.dirty,
      stagingDir: layout.stagingDir,
      packages: plan.packages.map(({ name, to }) => ({ name, version: to })),
    };
    await writeDocument(layout.outDir, "build", record);
    return { value: record, detail: cached };
  });
}
