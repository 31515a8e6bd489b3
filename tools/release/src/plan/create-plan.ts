import { relative, sep } from "node:path";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import { listPublicPackages, type PublicPackage } from "@codex-js/pack";
import semver from "semver";
import { readSourceState } from "../git.ts";
import type { PublishedVersion } from "../targets/target.ts";
import { orderPackages } from "./order-packages.ts";
import type { PlannedPackage, ReleasePlan } from "./plan.ts";
import { type NextVersion, readVersions } from "./read-versions.ts";

export interface PlanTarget {
  readonly name: string;
  lookup(name: string, version: string): Promise<Pick<PublishedVersion, "integrity"> | undefined>;
}

/**
 * Reads the working tree and the target, changes neither.
 * @param options `current`: the versions of the working tree, whatever changesets are pending
 * @throws ToolError for a bad changeset, a cycle, a workspace without public packages (usage), and what
 * `lookup` throws
 */
export async function createPlan(
  context: CliContext,
  root: string,
  target: PlanTarget,
  { current = false }: { current?: boolean } = {},
): Promise<ReleasePlan> {
  const packages = await listPublicPackages(root);
  if (packages.length === 0) throw describeNothing(root);
  const versions = current ? readCurrentVersions(packages) : await readVersions(root, packages);
  const planned: PlannedPackage[] = [];
  for (const pkg of packages) {
    const next = versions.get(pkg.name)!;
    const found = await target.lookup(pkg.name, next.to);
    planned.push({
      ...planPackage(root, pkg, next, packages),
      registry: found === undefined ? { state: "absent" } : { state: "there", integrity: found.integrity },
    });
  }
  const source = await readSourceState(context, root);
  return { version: 1, ...source, target: target.name, packages: orderPackages(planned) };
}

function readCurrentVersions(packages: readonly PublicPackage[]): Map<string, NextVersion> {
  return new Map(
    packages.map(({ name, version }) => [name, { to: version, reason: "current", changesets: [] }]),
  );
}

function planPackage(
  root: string,
  pkg: PublicPackage,
  next: NextVersion,
  packages: readonly PublicPackage[],
): Omit<PlannedPackage, "registry"> {
  return {
    name: pkg.name,
    dir: relative(root, pkg.dir).split(sep).join("/"),
    from: pkg.version,
    to: next.to,
    reason: next.reason,
    changesets: next.changesets,
    tag: pickDistTag(next.to),
    dependsOn: listDependencies(pkg, packages),
    platforms: listPlatforms(pkg, packages),
  };
}

/** A pre-release must never become what `npm install` takes by default. */
export function pickDistTag(version: string): string {
  const prerelease = semver.prerelease(version);
  if (prerelease === null) return "latest";
  return typeof prerelease[0] === "string" ? prerelease[0] : "next";
}

function listDependencies({ manifest }: PublicPackage, packages: readonly PublicPackage[]): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const all = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return packages.map(({ name }) => name).filter((name) => all.includes(name));
}

/** An optional dependency that is for every platform is an ordinary package. */
function listPlatforms({ manifest }: PublicPackage, packages: readonly PublicPackage[]): string[] {
  const optional = Object.keys(manifest.optionalDependencies ?? {});
  return packages
    .filter(({ name, manifest: { os, cpu } }) => optional.includes(name) && (os ?? cpu) !== undefined)
    .map(({ name }) => name);
}

function describeNothing(root: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_NOTHING",
    message: `every package of ${root} is private: there is nothing to release`,
    hint: 'a package is released when its package.json does not say "private": true',
    exitCode: exitCodes.usage,
  });
}
