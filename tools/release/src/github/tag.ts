import { exitCodes } from "@codex-js/cli-kit";
import { callGithub, callGithubIfThere, type GithubClient } from "./client.ts";
import { GithubError } from "./github-error.ts";
import { parseGitObject } from "./parse-answer.ts";
import { settle } from "./settle.ts";
import type { GithubChange } from "./types.ts";

/** The commit that a tag leads to; undefined when there is no such tag. */
export async function readTagCommit(client: GithubClient, tag: string): Promise<string | undefined> {
  const { octokit, at } = client;
  let object = await callGithubIfThere(client, `read the tag ${tag}`, async () =>
    parseGitObject((await octokit.git.getRef({ ...at, ref: `tags/${tag}` })).data),
  );
  while (object?.type === "tag") {
    const { sha } = object;
    object = await callGithub(client, `read the tag ${tag}`, async () =>
      parseGitObject((await octokit.git.getTag({ ...at, tag_sha: sha })).data),
    );
  }
  return object?.sha;
}

export async function ensureTag(
  client: GithubClient,
  tag: string,
  commit: string,
): Promise<{ change: GithubChange }> {
  const { octokit, at } = client;
  const what = `make the tag ${tag}`;
  const { isWritten } = await settle(client, {
    what,
    observe: async () => {
      const there = await readTagCommit(client, tag);
      if (there !== undefined && there !== commit) throw createElsewhereError(tag, commit, there);
      return there;
    },
    write: async () => {
      await callGithub(client, what, () =>
        octokit.git.createRef({ ...at, ref: `refs/tags/${tag}`, sha: commit }),
      );
      return commit;
    },
  });
  return { change: isWritten ? "created" : "none" };
}

export function createElsewhereError(tag: string, commit: string, there: string): GithubError {
  return new GithubError({
    condition: "TAG_ELSEWHERE",
    message: `the tag ${tag} is on commit ${there}, expected ${commit}`,
    hint: `release from that commit, or, where nothing of the version is published, delete the tag: git push --delete origin ${tag}`,
    exitCode: exitCodes.checkFailed,
  });
}
