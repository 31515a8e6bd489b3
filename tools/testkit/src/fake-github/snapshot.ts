import { findTagCommit, type State, type StoredPullRequest } from "./state.ts";

/** What is there, for whole-object assertions: without ids, times and URLs. */
export interface GithubSnapshot {
  /** The commit of each tag, through annotated ones. */
  tags: Record<string, string>;
  /** Oldest first. */
  releases: SnapshotRelease[];
  /** The tag of the release that is shown as the latest one; null for none. */
  latest: string | null;
  /** Of each pull request that has any, oldest first. */
  comments: Record<number, string[]>;
}

export interface SnapshotRelease {
  tag: string;
  name: string | null;
  body: string | null;
  state: "draft" | "published";
  prerelease: boolean;
  /** In order of their names. */
  assets: { name: string; state: "uploaded" | "starter"; sizeBytes: number; sha256: string | null }[];
}

/** What was proposed: branches whose head was made through the API, and pull requests. */
export interface ProposalSnapshot {
  branches: Record<
    string,
    {
      message: string;
      parents: string[];
      /** The pushed tree that it was made from. */
      base: string | undefined;
      /** By path; null for one that was deleted. */
      files: Record<string, string | null>;
    }
  >;
  pullRequests: StoredPullRequest[];
}

export function takeProposalSnapshot({ refs, commits, trees, pullRequests }: State): ProposalSnapshot {
  const branches = Object.entries(refs).flatMap(([ref, { sha }]) => {
    const commit = commits[sha];
    const name = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
    if (commit === undefined || name === undefined) return [];
    const { base, files } = trees[commit.tree]!;
    const texts = Object.entries(files).map(([path, file]) => [path, file === null ? null : file.text]);
    const { message, parents } = commit;
    return [[name, { message, parents, base, files: Object.fromEntries(texts) }] as const];
  });
  return { branches: Object.fromEntries(branches), pullRequests: structuredClone(pullRequests) };
}

export function takeSnapshot(state: State): GithubSnapshot {
  const tags = Object.keys(state.refs).flatMap((ref) => /^refs\/tags\/(.+)$/.exec(ref)?.[1] ?? []);
  const issues = [...new Set(state.comments.map(({ issue }) => issue))];
  return {
    tags: Object.fromEntries(tags.sort().map((tag) => [tag, findTagCommit(state, tag)!])),
    releases: state.releases.map(({ tag, name, body, draft, prerelease, assets }) => ({
      tag,
      name,
      body,
      state: draft ? "draft" : "published",
      prerelease,
      assets: assets
        .map(({ name, state, sizeBytes, sha256 }) => ({ name, state, sizeBytes, sha256 }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    })),
    latest: state.releases.find(({ id, draft }) => id === state.latestReleaseId && !draft)?.tag ?? null,
    comments: Object.fromEntries(
      issues.map((issue) => [
        issue,
        state.comments.filter((comment) => comment.issue === issue).map(({ body }) => body),
      ]),
    ),
  };
}
