import { existsSync } from "node:fs";
import { join } from "node:path";
import { launcherPackage, sdkPackage } from "./checks/check.ts";
import table from "./disk-needs.json" with { type: "json" };
import type { DiskNeed } from "./disk-space.ts";
import { findRuntimeDir, type RuntimePlan } from "./runtime-plan.ts";
import type { PackageVersion } from "./types.ts";

const megabyte = 1_000_000;

export interface SmokePlaces {
  workDir: string;
  cacheDir: string;
}

/**
 * What a run takes at most, from disk-needs.json. All of it is the engine's size: without a package that
 * depends on it there is nothing to speak of. Caches that are there already need not be made.
 */
export function planDiskNeeds(
  plans: readonly RuntimePlan[],
  packages: readonly PackageVersion[],
  { workDir, cacheDir }: SmokePlaces,
  runtimesAtOnce: number,
): DiskNeed[] {
  const { npmCache, bunCache, runtime } = table.megabytes;
  const caches = [
    ...(plans.some(({ kind }) => kind === "node") ? [{ dir: "npm", size: npmCache }] : []),
    ...(plans.some(({ kind }) => kind === "bun") ? [{ dir: "bun", size: bunCache }] : []),
  ];
  const missing = caches.filter(({ dir }) => !existsSync(join(cacheDir, dir)));
  const fetched = plans.filter(
    (plan) => plan.downloads.length > 0 && !existsSync(findRuntimeDir(plan, cacheDir)),
  );
  const cacheSize = missing.reduce((sum, { size }) => sum + size, fetched.length * runtime);
  const projects = Math.min(runtimesAtOnce, plans.length);
  return [
    ...planProjectNeed(packages, workDir, projects),
    ...(needsEngine(packages) ? [{ dir: cacheDir, bytes: cacheSize * megabyte }] : []),
  ];
}

/** What the projects of this many runtimes take, each with an engine of its own. */
export function planProjectNeed(
  packages: readonly PackageVersion[],
  workDir: string,
  projects = 1,
): DiskNeed[] {
  if (!needsEngine(packages)) return [];
  return [{ dir: workDir, bytes: projects * table.megabytes.project * megabyte }];
}

function needsEngine(packages: readonly PackageVersion[]): boolean {
  return packages.some(({ name }) => name === sdkPackage || name === launcherPackage);
}
