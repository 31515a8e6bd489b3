import type { GithubChange } from "./types.ts";

/** One file of a commit that is made through the API, which needs no clone that may push. */
export interface CommitFile {
  /** From the root, `/` between folders. */
  path: string;
  /** Undefined deletes it. */
  text: string | undefined;
  /** Default false. */
  executable?: boolean;
}

export interface BranchCommit {
  /** Without `refs/heads/`. */
  branch: string;
  message: string;
  files: readonly CommitFile[];
  /**
   * What the commit stands on: a commit and its tree, and the branch is moved there from wherever it was; or
   * `branch`, and it goes on top of what the branch has, which is made where missing.
   */
  base: { commit: string; tree: string } | "branch";
}

export interface ProposedPullRequest {
  /** The branch with the change. */
  head: string;
  /** The branch that it shall go into. */
  base: string;
  title: string;
  /** Markdown. */
  body: string;
}

/**
 * Branches and pull requests that a workflow makes. Each call observes, compares and does only what is missing,
 * so it can be repeated. All of them throw a {@link GithubError}.
 */
export interface GithubProposals {
  /**
   * One commit on a branch; nothing is written when the branch has that very tree on that very base.
   * @returns the commit that the branch then is on
   */
  commitToBranch(commit: BranchCommit): Promise<{ commit: string; change: GithubChange }>;
  /** The open pull request from `head` into `base`, made where missing; its title and text are brought up to date. */
  upsertPullRequest(
    pullRequest: ProposedPullRequest,
  ): Promise<{ number: number; htmlUrl: string; change: GithubChange }>;
}
