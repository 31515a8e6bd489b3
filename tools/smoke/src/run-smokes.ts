import { exitCodes, makeDir, ToolError } from "@codex-js/cli-kit";
import type { Check } from "./checks/check.ts";
import { checks } from "./checks/index.ts";
import { createOnce, createTurnstile, mapWithLimit } from "./concurrency.ts";
import { planDiskNeeds } from "./disk-needs.ts";
import { requireSpace } from "./disk-space.ts";
import { fetchPublished, verifyTarball } from "./published.ts";
import { type Host, planRuntime } from "./runtime-plan.ts";
import { type RuntimeSpec, selectRuntimes } from "./runtimes.ts";
import { smokeRuntime } from "./smoke-runtime.ts";
import type { SmokeOptions, SmokeReport } from "./types.ts";
import { findWorkspaceTools } from "./workspace-tools.ts";

const runtimesAtOnce = 2;

/**
 * Installs the packages into an empty project on every runtime and uses them. A failed check is a result;
 * what rejects is what makes the whole run pointless.
 * @throws ToolError CODEX_JS_SMOKE_UNKNOWN_RUNTIME, CODEX_JS_SMOKE_NO_PACKAGES,
 * CODEX_JS_SMOKE_NO_RUNTIME, CODEX_JS_SMOKE_NOT_INSTALLED (usage), CODEX_JS_SMOKE_NOT_PUBLISHED (check failed),
 * CODEX_JS_SMOKE_REGISTRY_FAILED, CODEX_JS_SMOKE_DISK_FULL (external); the reason of `context.signal` after its abort
 */
export async function runSmokes(options: SmokeOptions): Promise<SmokeReport> {
  return runMatrix({ specs: selectRuntimes(options.runtimes), checks }, options);
}

export interface Matrix {
  specs: readonly RuntimeSpec[];
  checks: readonly Check[];
}

/** {@link runSmokes} on another matrix than the usual one. */
export async function runMatrix(
  matrix: Matrix,
  options: Omit<SmokeOptions, "runtimes">,
): Promise<SmokeReport> {
  const { context, registryUrl, cacheDir, workDir } = options;
  if (options.packages.length === 0) throw noPackages();
  const host: Host = { platform: process.platform, arch: process.arch };
  const workspace = findWorkspaceTools(host.platform);
  const plans = matrix.specs.map((spec) => planRuntime(spec, host, workspace));
  const packages = await Promise.all(
    options.packages.map((wanted) => fetchPublished(registryUrl, wanted, context)),
  );
  await Promise.all([workDir, cacheDir].map((dir) => makeDir(dir)));
  await requireSpace(planDiskNeeds(plans, packages, { workDir, cacheDir }, runtimesAtOnce));
  const session = {
    context,
    registryUrl,
    cacheDir,
    workDir,
    workspace,
    packages,
    leftOut: options.leftOut ?? [],
    checks: matrix.checks,
    verifyTarballs: createOnce(async () => {
      for (const published of packages) await verifyTarball(published, context);
    }),
    takeInstallTurn: createTurnstile(),
    onEvent: options.onEvent ?? (() => undefined),
  };
  const results = await mapWithLimit(plans, runtimesAtOnce, async (plan) => {
    const result = await smokeRuntime(plan, session);
    options.onRuntime?.(result);
    return result;
  });
  return { version: 1, results };
}

function noPackages(): ToolError {
  return new ToolError({
    code: "CODEX_JS_SMOKE_NO_PACKAGES",
    message: "no package to smoke",
    hint: "name one with --package NAME@VERSION",
    exitCode: exitCodes.usage,
  });
}
