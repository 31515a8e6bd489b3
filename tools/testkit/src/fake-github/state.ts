import { createHash } from "node:crypto";

/** All that the fake knows, as plain data. */
export interface State {
  nextId: number;
  /** By full name, `refs/tags/v1.0.0`. */
  refs: Record<string, { sha: string; type: "commit" | "tag" }>;
  /** Annotated tags by their own SHA. */
  tagObjects: Record<string, TagObject>;
  releases: StoredRelease[];
  latestReleaseId: number | null;
  /** Tags of immutable releases, of deleted ones as well. */
  burntTags: string[];
  comments: StoredComment[];
  /** By SHA; only what was made through the API. */
  trees: Record<string, StoredTree>;
  /** By SHA; only what was made through the API. */
  commits: Record<string, StoredCommit>;
  pullRequests: StoredPullRequest[];
}

export interface StoredTree {
  /** A pushed tree that it was made from; what is in that one the fake does not know. */
  base: string | undefined;
  /** By path; null for one that was deleted. */
  files: Record<string, { mode: string; text: string } | null>;
}

export interface StoredCommit {
  message: string;
  tree: string;
  parents: string[];
  madeAt: string;
}

export interface StoredPullRequest {
  number: number;
  state: "open" | "closed";
  /** Branches of the repository itself. */
  head: string;
  base: string;
  title: string;
  body: string;
}

export interface TagObject {
  tag: string;
  message: string;
  object: string;
  taggedAt: string;
}

export interface StoredRelease {
  id: number;
  tag: string;
  target: string;
  name: string | null;
  body: string | null;
  draft: boolean;
  prerelease: boolean;
  immutable: boolean;
  createdAt: string;
  publishedAt: string | null;
  assets: StoredAsset[];
}

export interface StoredAsset {
  id: number;
  name: string;
  label: string | null;
  contentType: string;
  state: "uploaded" | "starter";
  sizeBytes: number;
  /** In hex; null for a starter. */
  sha256: string | null;
  createdAt: string;
}

export interface StoredComment {
  id: number;
  issue: number;
  body: string;
  login: string;
  createdAt: string;
}

const defaultBranch = "main";

/** The first commit of a repository whose commits are not given. */
const someCommit = createHash("sha1").update("the fake's first commit").digest("hex");

export function createState(commits: readonly string[] = []): State {
  return {
    nextId: 1000,
    refs: { [`refs/heads/${defaultBranch}`]: { sha: commits[0] ?? someCommit, type: "commit" } },
    tagObjects: {},
    releases: [],
    latestReleaseId: null,
    burntTags: [],
    comments: [],
    trees: {},
    commits: {},
    pullRequests: [],
  };
}

export function takeId(state: State): number {
  state.nextId += 1;
  return state.nextId - 1;
}

/** What a tag leads to; undefined where there is none. */
export function findTagCommit(state: State, tag: string): string | undefined {
  const ref = state.refs[`refs/tags/${tag}`];
  return ref === undefined ? undefined : (state.tagObjects[ref.sha]?.object ?? ref.sha);
}
