import semver from "semver";
import type { PlannedPackage, ReleasePlan } from "../plan/plan.ts";
import type { Finding } from "./finding.ts";

/** `.changeset/pre.json`, which changesets keeps from `pre enter` to the version after `pre exit`. */
export interface PreState {
  mode: "pre" | "exit";
  tag: string;
}

/**
 * changesets trusts pre.json: deleted by hand, or left behind, it gives versions and dist-tags that nobody meant
 * (https://github.com/changesets/changesets/issues/1007).
 */
export function checkPreMode(
  { packages }: Pick<ReleasePlan, "packages">,
  pre: PreState | undefined,
): Finding[] {
  return packages.flatMap((pkg) => checkPackage(pkg, pre));
}

function checkPackage({ name, from, to, tag }: PlannedPackage, pre: PreState | undefined): Finding[] {
  const find = (message: string, hint: string): Finding[] => [
    { code: "CODEX_JS_RELEASE_PRE_MODE", subject: name, message, hint },
  ];
  const isPre = semver.prerelease(to) !== null;
  if (pre === undefined) {
    if (semver.prerelease(from) === null) return [];
    return find(
      `${from} is a pre-release, but .changeset/pre.json is not there`,
      "git checkout brings it back; a series of pre-releases ends with `pnpm changeset pre exit`, never by deleting the file",
    );
  }
  if (pre.mode === "exit") {
    return find(
      "`pnpm changeset pre exit` has been run, and the version after it has not been applied",
      "`pnpm changeset version`, and commit what it writes",
    );
  }
  if (!isPre) {
    return find(
      `${to} is no pre-release, but .changeset/pre.json says that pre-releases are made`,
      "`pnpm changeset pre exit`, then `pnpm changeset version`",
    );
  }
  if (tag !== pre.tag) {
    return find(
      `${to} would get the dist-tag ${tag}, and .changeset/pre.json says ${pre.tag}`,
      "make the tag in pre.json and the name in the versions one, with `pnpm changeset version`",
    );
  }
  if (tag === "latest" || semver.validRange(tag) !== null) {
    return find(
      `a pre-release cannot have the dist-tag ${tag}: everybody would install it, or nobody could`,
      "`pnpm changeset pre exit`, then `pnpm changeset pre enter next`",
    );
  }
  return [];
}
