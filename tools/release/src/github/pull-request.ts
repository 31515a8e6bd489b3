import { callGithub, type GithubClient } from "./client.ts";
import { parsePullRequest, parsePullRequests } from "./parse-answer.ts";
import type { ProposedPullRequest } from "./proposal-types.ts";
import { settle } from "./settle.ts";
import type { GithubChange } from "./types.ts";

export async function upsertPullRequest(
  client: GithubClient,
  wanted: ProposedPullRequest,
): Promise<{ number: number; htmlUrl: string; change: GithubChange }> {
  const { octokit, at } = client;
  const what = `propose ${wanted.head}`;
  const { head, base, title, body } = wanted;
  const { value: there, isWritten } = await settle(client, {
    what,
    observe: () => findOpen(client, wanted),
    write: () =>
      callGithub(client, what, async () =>
        parsePullRequest((await octokit.pulls.create({ ...at, head, base, title, body })).data),
      ),
  });
  const found = { number: there.number, htmlUrl: there.html_url };
  if (isWritten) return { ...found, change: "created" };
  if (hasText(there, wanted)) return { ...found, change: "none" };
  await settle(client, {
    what,
    observe: async () => {
      const now = await findOpen(client, wanted);
      return now !== undefined && hasText(now, wanted) ? now : undefined;
    },
    write: () =>
      callGithub(client, what, async () =>
        parsePullRequest(
          (await octokit.pulls.update({ ...at, pull_number: there.number, title, body })).data,
        ),
      ),
  });
  return { ...found, change: "updated" };
}

async function findOpen(client: GithubClient, { head, base }: ProposedPullRequest) {
  const { octokit, at } = client;
  return callGithub(client, "read the open pull requests", async () => {
    const answer = await octokit.pulls.list({ ...at, state: "open", head: `${at.owner}:${head}`, base });
    return parsePullRequests(answer.data)[0];
  });
}

function hasText(
  there: { title: string; body?: string | null | undefined },
  wanted: ProposedPullRequest,
): boolean {
  return there.title === wanted.title && (there.body ?? "") === wanted.body;
}
