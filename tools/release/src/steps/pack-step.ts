import { formatBytes } from "@codex-js/cli-kit";
import { dropDocumentsFrom, writeDocument } from "../documents.ts";
import type { Manifest } from "../pack/manifest.ts";
import { packPackages } from "../pack/pack-packages.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { BuildRecord } from "../staging/build-record.ts";
import { requireStaged } from "../staging/require-staged.ts";

/** Pack: each package twice, byte-identical; the manifest says what came out. */
export function runPackStep(
  session: ReleaseSession,
  plan: ReleasePlan,
  build: BuildRecord,
): Promise<Manifest> {
  const { context, layout } = session;
  return runStep(session, "pack", "Pack", async (step) => {
    const wanted = plan.packages.map(({ name, to }) => ({ name, version: to }));
    requireStaged(layout, build, wanted);
    await dropDocumentsFrom(layout.outDir, "pack");
    const manifest = await packPackages(context, layout, plan, build, step.update);
    await writeDocument(layout.outDir, "pack", manifest);
    const packedBytes = manifest.packages.reduce((sum, pkg) => sum + pkg.packedBytes, 0);
    const leftOut = manifest.leftOut ?? [];
    const left = leftOut.length === 0 ? "" : `; ${leftOut.length} left out`;
    for (const { name, reason } of leftOut) session.log(`${name} is left out: ${reason}`);
    return {
      value: manifest,
      detail: `${manifest.packages.length} tarballs, ${formatBytes(packedBytes)}, each packed twice with the same bytes${left}`,
    };
  });
}
