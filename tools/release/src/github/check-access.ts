import { exitCodes } from "@codex-js/cli-kit";
import { callGithub, type GithubClient } from "./client.ts";
import { GithubError } from "./github-error.ts";
import { parseRepository } from "./parse-answer.ts";

export async function checkAccess(client: GithubClient): Promise<void> {
  const { octokit, at } = client;
  const wanted = `${at.owner}/${at.repo}`;
  const { full_name, permissions } = await callGithub(client, `read the repository ${wanted}`, async () =>
    parseRepository((await octokit.repos.get(at)).data),
  );
  if (full_name.toLowerCase() !== wanted.toLowerCase()) {
    throw new GithubError({
      condition: "REPOSITORY_MOVED",
      message: `the repository ${wanted} is ${full_name} now`,
      hint: `change repository.url in package.json to ${full_name}`,
      exitCode: exitCodes.usage,
    });
  }
  // A workflow's own token is told no permissions at all, not even to read.
  if (permissions === undefined || permissions.push || !permissions.pull) return;
  throw new GithubError({
    condition: "READ_ONLY",
    message: `the token may read ${wanted} and not write to it`,
    hint: "the token needs the repository permission contents: write",
    exitCode: exitCodes.usage,
  });
}
