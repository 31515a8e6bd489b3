import type { CliContext } from "@codex-js/cli-kit";
import type { LeftOut, PackedTarball, Problem } from "@codex-js/pack";
import { checkGrowth, checkPackageBudget, findBudget } from "./check-budget.ts";
import { fetchLastRelease, unknown } from "./fetch-last-release.ts";
import { measureBundle } from "./measure-bundle.ts";
import type {
  BundleSizes,
  LastRelease,
  PackageSizes,
  RegistryAccess,
  SizeBudgets,
  SizeReport,
} from "./types.ts";

export interface CheckOptions {
  context: Pick<CliContext, "fetch" | "signal">;
  /** Asked once, and only its failure is reported: without a registry the comparison counts as skipped. */
  resolveRegistry: () => Promise<RegistryAccess>;
}

/** Holds packed tarballs against their budgets and their last releases. Bundles of other packages are left out. */
export async function checkTarballSizes(
  tarballs: readonly PackedTarball[],
  budgets: SizeBudgets,
  options: CheckOptions,
): Promise<SizeReport> {
  const lookUp = createLookUp(options);
  const packages: PackageSizes[] = [];
  for (const tarball of tarballs) packages.push(checkTarball(tarball, budgets, await lookUp(tarball.name)));
  const bundles: BundleSizes[] = [];
  for (const bundle of budgets.bundles) {
    const tarball = tarballs.find(({ name }) => name === bundle.package);
    if (tarball !== undefined) bundles.push(await measureBundle(bundle, tarball));
  }
  return createReport(packages, bundles, []);
}

/** Counts what was checked and gives the verdict. */
export function createReport(
  packages: PackageSizes[],
  bundles: BundleSizes[],
  problems: Problem[],
  leftOut: LeftOut[] = [],
): SizeReport {
  const isGrowth = ({ code }: Problem) => code === "CODEX_JS_SIZE_GROWTH";
  const results = [
    ...packages.map((one) => (one.problems.every(isGrowth) ? "passed" : "failed")),
    ...packages.map((one) => {
      if (one.lastRelease.status === "unknown") return "skipped";
      return one.problems.some(isGrowth) ? "failed" : "passed";
    }),
    ...bundles.map((one) => (one.problems.length === 0 ? "passed" : "failed")),
    problems.length === 0 ? "passed" : "failed",
    ...leftOut.map(() => "skipped"),
  ];
  const count = (wanted: string) => results.filter((result) => result === wanted).length;
  const checks = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  return {
    version: 1,
    verdict: checks.failed === 0 ? "passed" : "failed",
    checks,
    packages,
    bundles,
    leftOut,
    problems,
  };
}

function checkTarball(tarball: PackedTarball, budgets: SizeBudgets, lastRelease: LastRelease): PackageSizes {
  const { name, version, packedBytes, unpackedBytes } = tarball;
  const budget = findBudget(budgets, name);
  const growthPercent = budget?.growthPercent ?? budgets.growthPercent;
  return {
    name,
    version,
    packedBytes,
    unpackedBytes,
    files: tarball.files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    budget: budget ?? null,
    lastRelease,
    problems: [
      ...checkPackageBudget(tarball, budget),
      ...checkGrowth(name, tarball, lastRelease, growthPercent),
    ],
  };
}

function createLookUp({ context, resolveRegistry }: CheckOptions): (name: string) => Promise<LastRelease> {
  let registry: Promise<RegistryAccess> | undefined;
  return async (name) => {
    try {
      registry ??= resolveRegistry();
      return await fetchLastRelease(name, pickRegistry(name, await registry), context);
    } catch (error) {
      context.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
      return unknown(`npm's configured registry cannot be read: ${reason}`);
    }
  };
}

/** As npm does it: a scope's own registry before the general one. */
function pickRegistry(name: string, registry: RegistryAccess): RegistryAccess {
  const scope = name.startsWith("@") ? name.split("/", 1)[0]! : "";
  return registry.scopes?.[scope] ?? registry;
}
