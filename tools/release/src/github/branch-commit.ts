import { callGithub, callGithubIfThere, type GithubClient } from "./client.ts";
import { parseCommit, parseGitObject, parseTree } from "./parse-answer.ts";
import type { BranchCommit } from "./proposal-types.ts";
import { settle } from "./settle.ts";
import type { GithubChange } from "./types.ts";

interface StoredCommit {
  sha: string;
  tree: string;
  parents: string[];
}

/** Trees and commits are named after their content, so making one twice leaves one. */
export async function commitToBranch(
  client: GithubClient,
  commit: BranchCommit,
): Promise<{ commit: string; change: GithubChange }> {
  const { branch, base } = commit;
  const head = await readHead(client, branch);
  const [parent, baseTree] = base === "branch" ? [head?.sha, head?.tree] : [base.commit, base.tree];
  const tree = await createTree(client, commit, baseTree);
  const isThere =
    head !== undefined && head.tree === tree && (base === "branch" || head.parents.join() === base.commit);
  if (isThere) return { commit: head.sha, change: "none" };
  const sha = await createCommit(client, commit.message, tree, parent);
  // On top of the branch nothing may be lost that somebody has put there meanwhile.
  await moveBranch(client, branch, { from: head?.sha, to: sha, force: base !== "branch" });
  return { commit: sha, change: head === undefined ? "created" : "updated" };
}

async function readHead(client: GithubClient, branch: string): Promise<StoredCommit | undefined> {
  const sha = await readBranch(client, branch);
  if (sha === undefined) return undefined;
  const { octokit, at } = client;
  return callGithub(client, `read the commit ${sha}`, async () => {
    const { tree, parents } = parseCommit((await octokit.git.getCommit({ ...at, commit_sha: sha })).data);
    return { sha, tree: tree.sha, parents: parents.map((parent) => parent.sha) };
  });
}

async function readBranch(client: GithubClient, branch: string): Promise<string | undefined> {
  const { octokit, at } = client;
  return callGithubIfThere(
    client,
    `read the branch ${branch}`,
    async () => parseGitObject((await octokit.git.getRef({ ...at, ref: `heads/${branch}` })).data).sha,
  );
}

async function createTree(
  client: GithubClient,
  { files }: BranchCommit,
  baseTree: string | undefined,
): Promise<string> {
  const { octokit, at } = client;
  const tree = files.map(({ path, text, executable = false }) => {
    const entry = { path, mode: executable ? "100755" : "100644", type: "blob" } as const;
    return text === undefined ? { ...entry, sha: null } : { ...entry, content: text };
  });
  return repeat(client, "write a tree", async () => {
    const base = baseTree === undefined ? {} : { base_tree: baseTree };
    return parseTree((await octokit.git.createTree({ ...at, ...base, tree })).data).sha;
  });
}

async function createCommit(
  client: GithubClient,
  message: string,
  tree: string,
  parent: string | undefined,
): Promise<string> {
  const { octokit, at } = client;
  const parents = parent === undefined ? [] : [parent];
  return repeat(
    client,
    "write a commit",
    async () => parseCommit((await octokit.git.createCommit({ ...at, message, tree, parents })).data).sha,
  );
}

async function moveBranch(
  client: GithubClient,
  branch: string,
  { from, to, force }: { from: string | undefined; to: string; force: boolean },
): Promise<void> {
  const { octokit, at } = client;
  const what = `move the branch ${branch}`;
  await settle(client, {
    what,
    observe: async () => ((await readBranch(client, branch)) === to ? to : undefined),
    write: () =>
      callGithub(client, what, async () => {
        if (from === undefined) await octokit.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: to });
        else await octokit.git.updateRef({ ...at, ref: `heads/${branch}`, sha: to, force });
        return to;
      }),
  });
}

/** There is nothing to look at before another attempt: the outcome has no name but its content's. */
async function repeat<Value>(client: GithubClient, what: string, call: () => Promise<Value>): Promise<Value> {
  const { value } = await settle<Value>(client, {
    what,
    observe: async () => undefined,
    write: () => callGithub(client, what, call),
  });
  return value;
}
