import { join } from "node:path";
import { type CliContext, runProcess, withTempDir } from "@codex-js/cli-kit";
import {
  findLeftOut,
  type LeftOut,
  listPublicPackages,
  type PackedTarball,
  type PublicPackage,
  packPackage,
} from "@codex-js/pack";
import { describeNativeInputs } from "@codex-js/v8-prebuilt";
import { checkBudgetNames } from "./check-budget.ts";
import { type CheckOptions, checkTarballSizes, createReport } from "./check-tarball-sizes.ts";
import { readBudgets } from "./parse-budgets.ts";
import type { SizeReport } from "./types.ts";

export interface MeasureOptions extends CheckOptions {
  /** Absolute path of the workspace. */
  root: string;
  context: CliContext;
  /** Build first, with turbo, its output on stderr. */
  build: boolean;
}

/** Where a workspace keeps its budgets. */
export function budgetsPath(root: string): string {
  return join(root, "tools", "size-gate", "budgets.json");
}

/**
 * Packs every public package and measures it.
 * @throws ToolError CODEX_JS_SIZE_BUDGETS (usage) when budgets.json is invalid, CODEX_JS_PROCESS_FAILED
 * (external) when the build fails, and what packPackage throws; sizes over budget are in the report
 */
export async function measureSizes(options: MeasureOptions): Promise<SizeReport> {
  const { root, context } = options;
  const budgets = await readBudgets(budgetsPath(root));
  const packages = await listPublicPackages(root);
  if (options.build) await buildPackages(packages, options);
  return withTempDir("codex-js-size", async (outDir) => {
    const tarballs: PackedTarball[] = [];
    const leftOut: LeftOut[] = [];
    for (const pkg of packages) {
      const missing = await findLeftOut(pkg);
      if (missing === undefined) tarballs.push(await packPackage(pkg, { root, outDir, context }));
      else leftOut.push(missing);
    }
    const report = await checkTarballSizes(tarballs, budgets, options);
    const budgeted = [...Object.keys(budgets.packages), ...budgets.bundles.map((bundle) => bundle.package)];
    const stale = checkBudgetNames(
      budgeted,
      packages.map(({ name }) => name),
    );
    return createReport(report.packages, report.bundles, stale, leftOut);
  });
}

async function buildPackages(packages: PublicPackage[], { root, context }: MeasureOptions): Promise<void> {
  const filters = packages.map(({ name }) => `--filter=${name}`);
  const crateDir = join(root, "packages", "mod-runner", "native");
  const native = await describeNativeInputs({ context, crateDir });
  await runProcess("turbo", ["run", "build", ...filters], {
    cwd: root,
    env: { ...context.env, ...native.env },
    signal: context.signal,
    onLine: (line) => context.stderr.write(`${line}\n`),
  });
}
