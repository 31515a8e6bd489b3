import { formatBytes } from "@codex-js/cli-kit";
import type { PackedTarball, Problem } from "@codex-js/pack";
import type { BundleSizes, LastRelease, PackageBudget, SizeBudgets } from "./types.ts";

type Finding = Omit<Problem, "package">;
type Sizes = Pick<PackedTarball, "packedBytes" | "unpackedBytes">;

const raiseHint =
  "make it smaller, or raise that limit in tools/size-gate/budgets.json and say why in the commit";
const updateHint = "see where it comes from; if it belongs there: pnpm size --update";

/**
 * The budget of a package by its name, else by that of a family: `@codex-js/mod-runner-*` is one for all the
 * packages whose names begin so.
 */
export function findBudget(
  { packages }: Pick<SizeBudgets, "packages">,
  name: string,
): PackageBudget | undefined {
  return packages[name] ?? Object.entries(packages).find(([pattern]) => isOfFamily(name, pattern))?.[1];
}

function isOfFamily(name: string, pattern: string): boolean {
  return pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1));
}

/** A tarball against its budget: both totals, each file, no other files, none missing. */
export function checkPackageBudget(tarball: PackedTarball, budget: PackageBudget | undefined): Problem[] {
  const findings =
    budget === undefined
      ? [
          {
            code: "CODEX_JS_SIZE_NO_BUDGET" as const,
            message: "it is published, but budgets.json has no budget for it",
            hint: "give it one: pnpm size --update",
          },
        ]
      : [
          ...checkLimit("packed", tarball.packedBytes, budget.packedBytes),
          ...checkLimit("unpacked", tarball.unpackedBytes, budget.unpackedBytes),
          ...checkFiles(tarball, budget),
        ];
  return withPackage(tarball.name, findings);
}

function checkFiles(tarball: PackedTarball, budget: PackageBudget): Finding[] {
  const present = tarball.files.flatMap(({ path, sizeBytes }): Finding[] => {
    const limit = budget.files[path];
    if (limit !== undefined) return checkLimit(path, sizeBytes, limit);
    const message = `${path} (${formatBytes(sizeBytes)}) is in the tarball, but no budget knows it`;
    return [{ code: "CODEX_JS_SIZE_UNKNOWN_FILE", message, hint: updateHint }];
  });
  const missing = Object.keys(budget.files)
    .filter((path) => !tarball.files.some((file) => file.path === path))
    .map((path) => ({
      code: "CODEX_JS_SIZE_MISSING_FILE" as const,
      message: `${path} has a budget, but is not in the tarball`,
      hint: "run pnpm build; if it is gone on purpose: pnpm size --update",
    }));
  return [...present, ...missing];
}

/** How much a package may have grown since its last release. */
export function checkGrowth(name: string, sizes: Sizes, last: LastRelease, growthPercent: number): Problem[] {
  if (last.status !== "published") return [];
  const findings = (["packed", "unpacked"] as const).flatMap((what): Finding[] => {
    const [before, after] = [last[`${what}Bytes`], sizes[`${what}Bytes`]];
    if (after <= before * (1 + growthPercent / 100)) return [];
    const growth = before === 0 ? "from nothing" : `${(((after - before) / before) * 100).toFixed(1)} %`;
    return [
      {
        code: "CODEX_JS_SIZE_GROWTH",
        message: `${what}: ${exact(after)}, which is ${exact(after - before)} (${growth}) more than ${last.version}; allowed are ${growthPercent} %`,
        hint: `make it smaller, or set "growthPercent" for ${name} in tools/size-gate/budgets.json and say why in the commit`,
      },
    ];
  });
  return withPackage(name, findings);
}

export function checkBundle(bundle: Omit<BundleSizes, "problems">): Problem[] {
  if (bundle.measuredBytes === null) return [];
  const what = `import ${bundle.import}, minified and brotli`;
  return withPackage(bundle.package, checkLimit(what, bundle.measuredBytes, bundle.brotliBytes));
}

/** A budget for a package that is not published any more would go on looking like a promise. */
export function checkBudgetNames(budgeted: readonly string[], published: readonly string[]): Problem[] {
  return [...new Set(budgeted)]
    .filter((name) => !published.some((one) => one === name || isOfFamily(one, name)))
    .map((name) => ({
      code: "CODEX_JS_SIZE_STALE_BUDGET",
      package: name,
      message: "budgets.json names it, but it is no public package of this workspace",
      hint: "remove it from tools/size-gate/budgets.json",
    }));
}

function checkLimit(what: string, sizeBytes: number, limitBytes: number): Finding[] {
  if (sizeBytes <= limitBytes) return [];
  const message = `${what}: ${exact(sizeBytes)}, which is ${exact(sizeBytes - limitBytes)} over its budget of ${exact(limitBytes)}`;
  return [{ code: "CODEX_JS_SIZE_OVER_BUDGET", message, hint: raiseHint }];
}

function withPackage(name: string, findings: Finding[]): Problem[] {
  return findings.map((finding) => ({ ...finding, package: name }));
}

function exact(bytes: number): string {
  return `${bytes.toLocaleString("en-US")} B`;
}
