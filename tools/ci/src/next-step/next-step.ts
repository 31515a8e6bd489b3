/** What `pnpm release --dry-run --json` and `pnpm release status --json` say, as far as it is looked at here. */
export interface PlannedVersions {
  packages: readonly { name: string; from: string; to: string }[];
}

export interface FoundRelease {
  tag: string | null;
  commit: string;
  packages: readonly { name: string; version: string; state: string }[];
  github: readonly { part: string; state: string; message?: string | undefined }[];
}

/**
 * What a push to the main branch asks for: `version` a pull request that applies pending changesets, `release`
 * what this commit's versions lack, `none` nothing; `stop` somebody has to look.
 */
export interface NextStep {
  action: "version" | "release" | "none" | "stop";
  /** For people, in one line. */
  reason: string;
}

/** Undefined where no changeset is pending: then what is really there decides, see {@link decideRelease}. */
export function decideVersion({ packages }: PlannedVersions): NextStep | undefined {
  const pending = packages.filter(({ from, to }) => from !== to);
  if (pending.length === 0) return undefined;
  const changes = pending.map(({ name, from, to }) => `${name} ${from} → ${to}`).join(", ");
  return { action: "version", reason: `changesets are pending: ${changes}` };
}

/** What a package has that has never been released. */
const unreleased = "0.0.0";

/**
 * Before the next versions are proposed, those that the branch has now must be complete: a release that failed
 * half-way, or whose run gave way to a later push, would else be left behind for ever.
 * @returns undefined where nothing is left of it
 */
export function decideCurrent(found: FoundRelease): NextStep | undefined {
  // A new package stands beside released ones with a version of its own.
  if (found.tag === null || found.packages.every(({ version }) => version === unreleased)) return undefined;
  if (decideRelease(found).action === "none") return undefined;
  return {
    action: "stop",
    reason: `changesets are pending, and ${found.tag} is not complete: run the release workflow of the commit that applied its versions again`,
  };
}

/** A job says where it runs; by hand it runs anywhere. */
export function decidePlace(
  { GITHUB_REF: ref, GITHUB_REPOSITORY: repository }: NodeJS.ProcessEnv,
  expected: { repository: string; ref: string },
): NextStep | undefined {
  const isElsewhere = (found: string | undefined, wanted: string) => Boolean(found) && found !== wanted;
  if (!isElsewhere(ref, expected.ref) && !isElsewhere(repository, expected.repository)) return undefined;
  return {
    action: "stop",
    reason: `releases are made on ${expected.ref} of ${expected.repository} only, and this is ${ref} of ${repository}`,
  };
}

/**
 * After a release the branch goes on: its tag is then on an earlier commit than this one, and all is well. A
 * release that was begun on another commit is gone on with there, never from here.
 */
export function decideRelease({ tag, commit, packages, github }: FoundRelease): NextStep {
  const names = packages.map(({ name, version }) => `${name}@${version}`).join(", ");
  if (tag === null) return { action: "stop", reason: `the packages have several versions: ${names}` };
  const gone = packages.filter(({ state }) => state === "unpublished");
  if (gone.length > 0) {
    const list = gone.map(({ name, version }) => `${name}@${version}`).join(", ");
    return { action: "stop", reason: `${list} was taken away from the registry, which is for ever` };
  }
  const isOnRegistry = packages.every(({ state }) => ["there", "listed", "different"].includes(state));
  const parts = new Map(github.map((part) => [part.part, part]));
  const isAnnounced = ["there", "edited"].includes(parts.get("release")?.state ?? "missing");
  if (isOnRegistry && isAnnounced) return { action: "none", reason: `${tag} has been released` };
  const found = parts.get("tag");
  if (found?.state === "different") {
    return {
      action: "stop",
      reason: `${tag} was begun on another commit than ${commit.slice(0, 12)} and is not complete: run the release workflow of that commit again`,
    };
  }
  return { action: "release", reason: `${tag} is not complete: ${names}` };
}
