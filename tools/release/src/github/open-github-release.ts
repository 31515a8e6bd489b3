import { ensureAsset } from "./asset.ts";
import { checkAccess } from "./check-access.ts";
import { createClient } from "./client.ts";
import { upsertPullRequestComment } from "./comment.ts";
import { ensureDraft, readReleases } from "./draft.ts";
import { publishRelease } from "./publish-release.ts";
import { ensureTag, readTagCommit } from "./tag.ts";
import type { GithubOptions, GithubReleases } from "./types.ts";

/** @throws GithubError `…_BAD_URL` (usage) */
export function openGithubRelease(options: GithubOptions): GithubReleases {
  const client = createClient(options);
  return {
    checkAccess: () => checkAccess(client),
    readState: async ({ tag }) => {
      const commit = await readTagCommit(client, tag);
      return {
        tag: commit === undefined ? undefined : { name: tag, commit },
        ...(await readReleases(client, tag)),
      };
    },
    ensureTag: (tag, commit) => ensureTag(client, tag, commit),
    ensureDraft: (plan) => ensureDraft(client, plan),
    ensureAsset: (request) => ensureAsset(client, request),
    publishRelease: (release) => publishRelease(client, release),
    upsertPullRequestComment: (comment) => upsertPullRequestComment(client, comment),
  };
}
