import { findBudget } from "./check-budget.ts";
import type { PackageBudget, PackageSizes, SizeBudgets, SizeReport } from "./types.ts";

/** What a new limit leaves above today's size. */
const headroom = 1.1;

/**
 * Budgets that fit today's files: new files get a limit, gone ones lose theirs, exceeded ones are
 * raised. The totals of a package and the limits of bundles are promises and stay as they are; only a
 * package that has no budget yet gets totals.
 * @returns the new budgets and, in words, what changed
 */
export function updateBudgets(
  budgets: SizeBudgets,
  report: SizeReport,
): { budgets: SizeBudgets; changes: string[] } {
  const changes: string[] = [];
  const packages = { ...budgets.packages };
  for (const sizes of report.packages) {
    // The limits of a family are promises for programs that are not built here: nobody's are raised by one's.
    if (packages[sizes.name] === undefined && findBudget(budgets, sizes.name) !== undefined) continue;
    const before = packages[sizes.name];
    const after = updatePackage(before, sizes);
    changes.push(...describeChanges(sizes.name, before, after));
    packages[sizes.name] = after;
  }
  return { budgets: { ...budgets, packages }, changes };
}

function updatePackage(before: PackageBudget | undefined, sizes: PackageSizes): PackageBudget {
  const limits = sizes.files.map(({ path, sizeBytes }) => {
    const limit = before?.files[path];
    return [path, limit !== undefined && sizeBytes <= limit ? limit : withHeadroom(sizeBytes)] as const;
  });
  return {
    packedBytes: before?.packedBytes ?? withHeadroom(sizes.packedBytes),
    unpackedBytes: before?.unpackedBytes ?? withHeadroom(sizes.unpackedBytes),
    files: Object.fromEntries(limits),
    ...(before?.growthPercent === undefined ? {} : { growthPercent: before.growthPercent }),
  };
}

function describeChanges(name: string, before: PackageBudget | undefined, after: PackageBudget): string[] {
  if (before === undefined) {
    return [`${name}: new, ${after.packedBytes} B packed, ${after.unpackedBytes} B unpacked`];
  }
  const paths = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])].sort();
  return paths.flatMap((path) => {
    const [from, to] = [before.files[path], after.files[path]];
    if (from === to) return [];
    return [
      `${name}: ${path} ${from === undefined ? "new" : `${from} B`} → ${to === undefined ? "gone" : `${to} B`}`,
    ];
  });
}

/** Rounded up to whole hundreds, so that limits read as limits and not as measurements. */
function withHeadroom(sizeBytes: number): number {
  return Math.ceil((sizeBytes * headroom) / 100) * 100;
}
