import { withGithubPlan } from "../assets/github-plan.ts";
import {
  compareState,
  type GithubDifference,
  type GithubReleasePlan,
  type GithubState,
} from "../github/index.ts";
import type { ReleaseLayout } from "../layout.ts";
import type { Manifest } from "../pack/manifest.ts";
import type { PlannedPackage, ReleasePlan } from "../plan/plan.ts";
import { findReleaseVersion, nameTag } from "../release-unit.ts";
import { readPackages } from "../targets/read-packages.ts";
import type { PublishedPackage } from "../targets/target.ts";
import type { NpmVenue } from "../venue.ts";
import type { GithubStatus, PackageStatus, ReleaseStatus } from "./status.ts";

export interface StatusOptions {
  layout: ReleaseLayout;
  venue: NpmVenue;
  plan: ReleasePlan;
  /** Undefined where nothing has been packed of this commit. */
  manifest: Manifest | undefined;
}

/** Reads registry, tags, GitHub release and assets, and holds them against the plan; changes nothing. */
export async function readStatus(options: StatusOptions): Promise<ReleaseStatus> {
  const { venue, plan, manifest } = options;
  const version = findReleaseVersion(plan);
  const [packages, github] = await Promise.all([
    readPackageStatus(options),
    version === undefined ? [] : readGithubStatus(options, version),
  ]);
  return {
    version: 1,
    registryUrl: venue.target.registryUrl,
    tag: version === undefined ? null : nameTag(version),
    commit: plan.commit,
    complete: version !== undefined && packages.every(isDone) && github.every(isGithubDone),
    compared: manifest !== undefined,
    packages,
    github,
  };
}

function isDone({ state, tagged, version }: PackageStatus): boolean {
  return state === "there" && tagged === version;
}

/** What people have edited in a published release is theirs. */
function isGithubDone({ state }: GithubStatus): boolean {
  return state === "there" || state === "edited";
}

/** Whether somebody has to look before the release can go on. */
export function needsAttention({ packages, github }: ReleaseStatus): boolean {
  return (
    packages.some(({ state }) => state === "different" || state === "unpublished") ||
    github.some(({ state }) => state === "different" || state === "unplanned")
  );
}

async function readPackageStatus({ venue, plan, manifest }: StatusOptions): Promise<PackageStatus[]> {
  const names = plan.packages.map(({ name }) => name);
  const found = await readPackages(venue.target, names);
  return Promise.all(
    plan.packages.map(async (pkg) => {
      const there = found.get(pkg.name);
      const integrity = manifest?.packages.find(({ name }) => name === pkg.name)?.integrity;
      return {
        name: pkg.name,
        version: pkg.to,
        state: await readState(venue, pkg, there, integrity),
        tag: pkg.tag,
        tagged: there?.distTags[pkg.tag] ?? null,
        deprecated: there?.versions[pkg.to]?.deprecated ?? null,
      };
    }),
  );
}

async function readState(
  { target }: NpmVenue,
  { to }: PlannedPackage,
  there: PublishedPackage | undefined,
  integrity: string | undefined,
): Promise<PackageStatus["state"]> {
  const version = there?.versions[to];
  if (version === undefined) return there?.unpublished.includes(to) ? "unpublished" : "missing";
  if (integrity !== undefined && version.integrity !== integrity) return "different";
  if (version.tarballUrl === "" || !(await target.hasTarball(version.tarballUrl))) return "hidden";
  return integrity === undefined ? "listed" : "there";
}

async function readGithubStatus(
  { layout, venue, plan, manifest }: StatusOptions,
  version: string,
): Promise<GithubStatus[]> {
  const github = await venue.openGithub();
  return withGithubPlan(layout, plan, version, manifest, async (githubPlan) => {
    const state = await github.readState(githubPlan);
    const differences = compareState(githubPlan, state);
    return listParts(githubPlan, state, manifest !== undefined).map((part) =>
      describePart(part, differences, manifest !== undefined),
    );
  });
}

type Part = Pick<GithubStatus, "part" | "name">;

function listParts(plan: GithubReleasePlan, state: GithubState, compared: boolean): Part[] {
  const planned = plan.assets.map(({ name }) => name);
  const there = (state.release?.assets ?? []).map(({ name }) => name);
  const names = compared ? [...new Set([...planned, ...there])] : there;
  return [
    { part: "tag", name: plan.tag },
    { part: "release", name: plan.tag },
    ...names.sort().map((name): Part => ({ part: "asset", name })),
  ];
}

function describePart(part: Part, differences: readonly GithubDifference[], compared: boolean): GithubStatus {
  if (part.part === "asset" && !compared) return { ...part, state: "listed" };
  const found = differences.find((one) => one.part === part.part && one.name === part.name);
  if (found === undefined) return { ...part, state: "there" };
  return { ...part, state: found.kind, message: found.message };
}
