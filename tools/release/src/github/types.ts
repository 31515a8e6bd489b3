import type { CliContext } from "@codex-js/cli-kit";
import type { GithubError } from "./github-error.ts";

interface RepositoryName {
  owner: string;
  name: string;
}

export interface GithubOptions {
  /** The REST API, such as `https://api.github.com`; plain http on loopback only. */
  apiUrl: string;
  /** Where assets are uploaded to; default: what the release's own `upload_url` says. */
  uploadUrl?: string;
  /** Sent to these two hosts only; registered as a secret, so that no output shows it. */
  token: string;
  repository: RepositoryName;
  context: Pick<CliContext, "fetch" | "signal">;
  /** Told about waits and repeats, one short line each. */
  log: (line: string) => void;
  /** Pauses between attempts of a write in milliseconds; one more attempt than pauses. Default about 8 s. */
  delaysMs?: readonly number[];
  /** The longest pause that a rate limit may ask for; a longer one is an error. Default 5 minutes. */
  maxRateLimitWaitMs?: number;
}

/** What the GitHub side of a release shall be in the end. */
export interface GithubReleasePlan {
  /** Without `refs/tags/`, such as `@codex-js/sdk@1.2.3`. */
  tag: string;
  /** Full SHA-1 of the commit that the tag is on; it must have been pushed. */
  commit: string;
  name: string;
  /** Markdown. */
  body: string;
  prerelease: boolean;
  assets: readonly GithubAssetPlan[];
}

export type GithubDraftPlan = Pick<GithubReleasePlan, "tag" | "name" | "body" | "prerelease">;

export interface GithubAssetPlan {
  /** As GitHub keeps it, which renames what has other characters than letters, digits and `._-+@`. */
  name: string;
  /** Absolute. */
  path: string;
  sizeBytes: number;
  /** In lower-case hex. */
  sha256: string;
}

/** What is there. */
export interface GithubState {
  /** The commit that the tag leads to, through an annotated tag as well; undefined when there is no tag. */
  tag: { name: string; commit: string } | undefined;
  /** The published release of the tag, or else its oldest draft. */
  release: GithubRelease | undefined;
  /**
   * Beside a draft, other drafts for the same tag: one may be left by a lost answer, others are somebody
   * else's. Beside a published release they are not looked for.
   */
  otherDrafts: readonly GithubRelease[];
}

export interface GithubRelease {
  id: number;
  tag: string;
  name: string;
  body: string;
  prerelease: boolean;
  state: "draft" | "published";
  /** Published under the repository's rule that nothing of it can be changed any more. */
  immutable: boolean;
  /** For people. */
  htmlUrl: string;
  /** Without its `{?name,label}`. */
  uploadUrl: string;
  assets: readonly GithubAsset[];
}

export interface GithubAsset {
  id: number;
  name: string;
  sizeBytes: number;
  /** In lower-case hex; undefined where GitHub gives no digest (assets from before June 2025). */
  sha256: string | undefined;
  /** A `starter` is an upload that never came to its end. */
  state: "uploaded" | "starter";
}

/** What a call had to do; `none` when everything was as it should be. */
export type GithubChange = "none" | "created" | "updated" | "replaced";

export interface EnsureAssetRequest extends GithubAssetPlan {
  release: GithubRelease;
}

/**
 * The GitHub side of one repository's releases. Each call observes, compares and does only what is missing:
 * it can be repeated after any crash, and nothing is remembered between calls. All of them throw a
 * {@link GithubError}.
 */
export interface GithubReleases {
  /**
   * That the token is good, sees the repository and may write to it; writes nothing.
   * @throws GithubError `…_BAD_TOKEN`, `…_NO_ACCESS`, `…_READ_ONLY`, `…_REPOSITORY_MOVED` (usage)
   */
  checkAccess(): Promise<void>;
  /** Reads only. */
  readState(plan: Pick<GithubReleasePlan, "tag">): Promise<GithubState>;
  /**
   * @throws GithubError `…_TAG_ELSEWHERE` (check failed), `…_TAG_PROTECTED`, `…_COMMIT_UNKNOWN` (usage)
   */
  ensureTag(tag: string, commit: string): Promise<{ change: GithubChange }>;
  /**
   * A draft gets the plan's name, text and pre-release mark. A release that is published already is
   * returned as it is: what people have edited there stays.
   * @throws GithubError `…_DRAFT_AMBIGUOUS` (check failed)
   */
  ensureDraft(plan: GithubDraftPlan): Promise<{ release: GithubRelease; change: GithubChange }>;
  /**
   * Uploads the file unless the release has these very bytes; half-uploaded ones are deleted and sent again.
   * @throws GithubError `…_ASSET_DIFFERS`, `…_ASSET_FILE_CHANGED` (check failed), `…_ASSET_CORRUPT`
   * (external), `…_ASSET_NAME` (usage), `…_IMMUTABLE` (check failed)
   */
  ensureAsset(request: EnsureAssetRequest): Promise<{ asset: GithubAsset; change: GithubChange }>;
  /**
   * Turns the draft into a release; the tag must be there. Call it last: assets come before. Drafts of the
   * same text that a lost answer has left are removed.
   * @throws GithubError `…_TAG_MISSING`, `…_DRAFT_GONE` (check failed)
   */
  publishRelease(release: GithubRelease): Promise<{ release: GithubRelease; change: GithubChange }>;
  /**
   * One comment of a pull request for each `marker`: made the first time, changed afterwards. It is found by
   * the marker, which stands in it as an HTML comment that nobody sees.
   */
  upsertPullRequestComment(comment: PullRequestComment): Promise<{ htmlUrl: string; change: GithubChange }>;
}

export interface PullRequestComment {
  pullRequest: number;
  /** Letters, digits and `-` only, such as `codex-js-size`. */
  marker: string;
  /** Markdown. */
  body: string;
}

/** One way in which what is there is not what is planned. */
export interface GithubDifference {
  part: "tag" | "release" | "asset";
  /** The tag, or the asset's name. */
  name: string;
  /**
   * `missing`, `half-uploaded`, `draft` (not yet published) and `outdated` (a draft's text): the release
   * goes on and mends it. `different` and `unplanned`: somebody has to look, see `error`. `edited`: a
   * published release has another text, which stays.
   */
  kind: "missing" | "half-uploaded" | "draft" | "outdated" | "different" | "unplanned" | "edited";
  /** For people, in one line. */
  message: string;
  /** There for `different` and `unplanned`: to stop with before anything irreversible. */
  error?: GithubError;
}
