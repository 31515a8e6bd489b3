import type { CliContext } from "@codex-js/cli-kit";
import type { PackedTarball } from "@codex-js/pack";
import { budgetsPath, checkTarballSizes, readBudgets, toRegistryAccess } from "@codex-js/size-gate";
import { resolveUserRegistry } from "@codex-js/testkit/registry";
import type { GateProblem } from "./gate.ts";

/**
 * The tarballs against budgets.json and against the last release on the registry that npm is configured
 * with. Without that registry only the comparison is missing; the budgets hold.
 */
export async function checkSizes(
  context: CliContext,
  stagingDir: string,
  tarballs: readonly PackedTarball[],
): Promise<GateProblem[]> {
  const report = await checkTarballSizes(tarballs, await readBudgets(budgetsPath(stagingDir)), {
    context,
    resolveRegistry: async () =>
      toRegistryAccess(
        await resolveUserRegistry({ cwd: stagingDir, env: context.env, signal: context.signal }),
      ),
  });
  return [...report.packages, ...report.bundles, report].flatMap(({ problems }) => problems);
}
