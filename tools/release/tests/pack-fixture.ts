import { createTempDir } from "@codex-js/cli-kit";
import { resolveLayout } from "../src/layout.ts";
import type { Manifest } from "../src/pack/manifest.ts";
import { packPackages } from "../src/pack/pack-packages.ts";
import { createPlan } from "../src/plan/create-plan.ts";
import { createTestContext } from "./test-context.ts";

export interface PackedFixture {
  manifest: Manifest;
  tarballsDir: string;
}

/** Packs the fixture as it is on disk, at its current versions. */
export async function packFixture(dir: string, outDir: string): Promise<PackedFixture> {
  const context = createTestContext();
  const layout = resolveLayout(dir, outDir);
  const plan = await createPlan(context, dir, { name: "test", lookup: async () => undefined });
  const packages = plan.packages.map((pkg) => ({ ...pkg, to: pkg.from }));
  const build = { version: 1, commit: plan.commit, dirty: true, stagingDir: dir, packages: [] } as const;
  const packed = await packPackages(context, layout, { ...plan, packages }, { ...build, packages: [] });
  return { manifest: packed, tarballsDir: layout.tarballsDir };
}

/** A temp folder that lives as long as `stack`. */
export async function holdTempDir(stack: AsyncDisposableStack): Promise<string> {
  return stack.use(await createTempDir("codex-js-release-test")).path;
}
