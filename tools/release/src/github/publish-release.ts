import { exitCodes } from "@codex-js/cli-kit";
import { callGithub, type GithubClient } from "./client.ts";
import { hasText, readRelease, readReleases, removeDrafts } from "./draft.ts";
import { GithubError } from "./github-error.ts";
import { parseRelease } from "./parse-answer.ts";
import { lookAgain, settle } from "./settle.ts";
import { readTagCommit } from "./tag.ts";
import type { GithubChange, GithubRelease } from "./types.ts";

export async function publishRelease(
  client: GithubClient,
  release: GithubRelease,
): Promise<{ release: GithubRelease; change: GithubChange }> {
  const { octokit, at } = client;
  const what = `publish the release ${release.tag}`;
  const { value, isWritten } = await settle(client, {
    what,
    observe: async () => {
      const now = await readRelease(client, release.id);
      return now.state === "published" ? now : undefined;
    },
    write: async () => {
      // Without it GitHub would make the tag, on the newest commit of the default branch.
      await requireTag(client, release.tag);
      await removeSecondDrafts(client, release);
      return callGithub(client, what, async () =>
        parseRelease(
          (await octokit.repos.updateRelease({ ...at, release_id: release.id, draft: false })).data,
        ),
      );
    },
  });
  return { release: value, change: isWritten ? "updated" : "none" };
}

/** What a lost answer has left, and the list has shown too late. */
async function removeSecondDrafts(client: GithubClient, release: GithubRelease): Promise<void> {
  const { release: first, otherDrafts } = await readReleases(client, release.tag);
  const drafts = first === undefined ? otherDrafts : [first, ...otherDrafts];
  const isSecond = (draft: GithubRelease) =>
    draft.id !== release.id && draft.state === "draft" && hasText(draft, release);
  await removeDrafts(client, drafts.filter(isSecond));
}

async function requireTag(client: GithubClient, tag: string): Promise<void> {
  const commit = await lookAgain(client, `find the tag ${tag}`, () => readTagCommit(client, tag));
  if (commit !== undefined) return;
  throw new GithubError({
    condition: "TAG_MISSING",
    message: `the release ${tag} cannot be published: there is no tag ${tag}`,
    hint: "run the same command again: it makes the tag first",
    exitCode: exitCodes.checkFailed,
  });
}
