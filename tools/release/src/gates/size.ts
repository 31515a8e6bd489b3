import type { CliContext } from "@codex-js/cli-kit";
import type { PackedTarball } from "@codex-js/pack";
import { budgetsPath, checkTarballSizes, type RegistryAccess, readBudgets } from "@codex-js/size-gate";
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
    resolveRegistry: () => resolveRegistry(context, stagingDir),
  });
  return [...report.packages, ...report.bundles, report].flatMap(({ problems }) => problems);
}

async function resolveRegistry(context: CliContext, cwd: string): Promise<RegistryAccess> {
  const { url, token, basicAuth } = await resolveUserRegistry({
    cwd,
    env: context.env,
    signal: context.signal,
  });
  if (token !== undefined) return { url, authorization: `Bearer ${token}` };
  return basicAuth === undefined ? { url } : { url, authorization: `Basic ${basicAuth}` };
}
