import type { ExchangeHook, FaultRule } from "../fault-plan/index.ts";

/**
 * What a token may do: `write`; `read`, to which writes are forbidden and drafts do not show; `hidden`, to
 * which the repository is not there at all, as to a token of somebody else.
 */
export type Access = "write" | "read" | "hidden";

export interface FakeGithubOptions {
  /** Default `{ owner: "codex-js", name: "codex-js" }`. */
  repository?: { owner: string; name: string };
  /** Former names of the repository, as `owner/name`: they redirect. */
  formerNames?: readonly string[];
  /** By token; any other token is refused. Default `{ "fake-github-token": "write" }`. */
  tokens?: Readonly<Record<string, Access>>;
  /** Commits that have been pushed, newest first; default: whatever looks like one. */
  commits?: readonly string[];
  /** Tags that nobody may make; `*` stands for anything. */
  protectedTags?: readonly string[];
  /** Published releases cannot be changed, nor their tags be used again. */
  immutableReleases?: boolean;
  /** Numbers of the pull requests there are; default 1. */
  pullRequests?: readonly number[];
  /** Requests an hour; default 5000. */
  rateLimit?: number;
  faults?: readonly FaultRule[];
  onExchange?: ExchangeHook;
  /** Where the state is kept, and found again by a later start; default: in memory. */
  stateDir?: string;
  /** Default 0: a free one. */
  port?: number;
  /** Default 0: a free one. */
  uploadPort?: number;
  now?: () => Date;
  /** Aborting it closes the server. */
  signal?: AbortSignal;
}

export const defaultToken = "fake-github-token";
export const defaultRepository = { owner: "codex-js", name: "codex-js" };
