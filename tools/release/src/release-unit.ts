import semver from "semver";
import type { ReleasePlan } from "./plan/plan.ts";

/**
 * The one version of a release, undefined where its packages have several: all of them move together, so that
 * one tag and one GitHub release stand for what belongs together
 * (docs/decisions/0005-one-version-one-tag.md).
 */
export function findReleaseVersion({ packages }: Pick<ReleasePlan, "packages">): string | undefined {
  const versions = new Set(packages.map(({ to }) => to));
  return versions.size === 1 ? packages[0]!.to : undefined;
}

export function nameTag(version: string): string {
  return `v${version}`;
}

export function isPrerelease(version: string): boolean {
  return semver.prerelease(version) !== null;
}
