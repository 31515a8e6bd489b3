import { callGithub, callGithubIfThere, type GithubClient } from "./client.ts";
import { parseComment, parseComments } from "./parse-answer.ts";
import { settle } from "./settle.ts";
import type { GithubChange, PullRequestComment } from "./types.ts";

export async function upsertPullRequestComment(
  client: GithubClient,
  { pullRequest, marker, body }: PullRequestComment,
): Promise<{ htmlUrl: string; change: GithubChange }> {
  const { octokit, at } = client;
  const what = `comment on pull request ${pullRequest}`;
  const text = `<!-- ${marker} -->\n${body}`;
  const read = async () => {
    const [first, ...more] = await readMarked(client, pullRequest, marker);
    // The same comment twice is an answer that was lost.
    for (const { id } of more) await deleteComment(client, id);
    return first;
  };
  const create = () =>
    callGithub(client, what, async () =>
      parseComment(
        (await octokit.issues.createComment({ ...at, issue_number: pullRequest, body: text })).data,
      ),
    );
  const { value, isWritten } = await settle(client, { what, observe: read, write: create });
  if (isWritten) return { htmlUrl: value.html_url, change: "created" };
  if (value.body === text) return { htmlUrl: value.html_url, change: "none" };
  let isAsked = false;
  const updated = await settle(client, {
    what,
    observe: async () => {
      if (!isAsked) return undefined;
      const now = await read();
      return now?.body === text ? now : undefined;
    },
    write: () => {
      isAsked = true;
      return callGithub(client, what, async () =>
        parseComment((await octokit.issues.updateComment({ ...at, comment_id: value.id, body: text })).data),
      );
    },
  });
  return { htmlUrl: updated.value.html_url, change: "updated" };
}

/** Oldest first. */
async function readMarked(client: GithubClient, pullRequest: number, marker: string) {
  const { octokit, at } = client;
  const comments = await callGithub(client, `read the comments of pull request ${pullRequest}`, async () =>
    parseComments(
      await octokit.paginate(octokit.issues.listComments, {
        ...at,
        issue_number: pullRequest,
        per_page: 100,
      }),
    ),
  );
  return comments.filter(({ body }) => body?.startsWith(`<!-- ${marker} -->`) === true);
}

async function deleteComment(client: GithubClient, id: number): Promise<void> {
  const { octokit, at } = client;
  await callGithubIfThere(client, "remove a second comment", () =>
    octokit.issues.deleteComment({ ...at, comment_id: id }),
  );
}
