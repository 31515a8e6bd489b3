export { type CheckOptions, checkTarballSizes } from "./check-tarball-sizes.ts";
export { formatMarkdown } from "./format-report.ts";
export { budgetsPath, type MeasureOptions, measureSizes } from "./measure-sizes.ts";
export { readBudgets } from "./parse-budgets.ts";
export { toRegistryAccess } from "./registry-access.ts";
export type {
  BundleBudget,
  BundleSizes,
  LastRelease,
  PackageBudget,
  PackageSizes,
  RegistryAccess,
  SizeBudgets,
  SizeReport,
} from "./types.ts";
