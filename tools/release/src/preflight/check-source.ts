import type { ReleasePlan } from "../plan/plan.ts";
import { findReleaseVersion, nameTag } from "../release-unit.ts";
import type { Finding } from "./finding.ts";

export interface SourceFacts {
  plan: ReleasePlan;
  /** Where the clone has the release's tag; undefined when it has none. */
  localTagCommit: string | undefined;
}

/** What is released is one version, and the commit that its tag is on. */
export function checkSource({ plan, localTagCommit }: SourceFacts): Finding[] {
  return [...checkPending(plan), ...checkVersions(plan), ...checkTag(plan, localTagCommit)];
}

function checkPending({ packages }: ReleasePlan): Finding[] {
  const pending = packages.filter(({ from, to }) => from !== to);
  if (pending.length === 0) return [];
  const versions = pending.map(({ name, from, to }) => `${name} ${from} → ${to}`).join(", ");
  return [
    {
      code: "CODEX_JS_RELEASE_CHANGESETS_PENDING",
      subject: ".changeset",
      message: `versions have not been applied: ${versions}`,
      hint: "merge the version pull request, or run `pnpm changeset version` and commit what it writes",
    },
  ];
}

function checkVersions(plan: ReleasePlan): Finding[] {
  if (findReleaseVersion(plan) !== undefined) return [];
  const versions = plan.packages.map(({ name, to }) => `${name}@${to}`).join(", ");
  return [
    {
      code: "CODEX_JS_RELEASE_VERSIONS_APART",
      subject: "versions",
      message: `a release has one version and one tag, these packages have several: ${versions}`,
      hint: "name all of them in one group of `fixed` in .changeset/config.json, then `pnpm changeset version`",
    },
  ];
}

function checkTag(plan: ReleasePlan, localTagCommit: string | undefined): Finding[] {
  const version = findReleaseVersion(plan);
  if (version === undefined || localTagCommit === undefined || localTagCommit === plan.commit) return [];
  const tag = nameTag(version);
  return [
    {
      code: "CODEX_JS_RELEASE_TAG_ELSEWHERE",
      subject: tag,
      message: `this clone has the tag on ${localTagCommit.slice(0, 12)}, the release is of ${plan.commit.slice(0, 12)}`,
      hint: `git checkout ${tag} goes on with the release that was begun there; a tag made by mistake: git tag -d ${tag}`,
    },
  ];
}
