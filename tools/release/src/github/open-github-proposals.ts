import { commitToBranch } from "./branch-commit.ts";
import { createClient } from "./client.ts";
import type { GithubProposals } from "./proposal-types.ts";
import { upsertPullRequest } from "./pull-request.ts";
import type { GithubOptions } from "./types.ts";

/** @throws GithubError `…_BAD_URL` (usage) */
export function openGithubProposals(options: GithubOptions): GithubProposals {
  const client = createClient(options);
  return {
    commitToBranch: (commit) => commitToBranch(client, commit),
    upsertPullRequest: (pullRequest) => upsertPullRequest(client, pullRequest),
  };
}
