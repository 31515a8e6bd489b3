import type { FakeGithub } from "@codex-js/testkit/fake-github";
import type { FaultRule } from "@codex-js/testkit/fault-plan";
import { expect, test } from "vitest";
import { type BranchCommit, type GithubProposals, openGithubProposals } from "./index.ts";
import { commit, otherCommit, startForTest } from "./testing/fixture-release.ts";

const tree = "3".repeat(40);
const versions: BranchCommit = {
  branch: "versions",
  message: "Versions",
  base: { commit, tree },
  files: [
    { path: "packages/sdk/CHANGELOG.md", text: "## 1.0.0\n" },
    { path: ".changeset/first.md", text: undefined },
  ],
};
const files = { "packages/sdk/CHANGELOG.md": "## 1.0.0\n", ".changeset/first.md": null };
const pullRequest = { head: "versions", base: "main", title: "Release 1.0.0", body: "What changes" };

function open(github: FakeGithub): GithubProposals {
  return openGithubProposals({
    apiUrl: github.apiUrl,
    token: github.token,
    repository: github.repository,
    context: { fetch, signal: new AbortController().signal },
    delaysMs: [1, 1, 1, 1],
    log: () => {},
  });
}

async function propose(
  github: FakeGithub,
  changes: Partial<BranchCommit> = {},
  texts = {},
): Promise<string[]> {
  const proposals = open(github);
  const made = await proposals.commitToBranch({ ...versions, ...changes });
  const proposed = await proposals.upsertPullRequest({ ...pullRequest, ...texts });
  return [made.change, proposed.change];
}

test("one branch and one pull request: made, left as they are, moved to a new base", async () => {
  const github = await startForTest();
  expect(await propose(github)).toEqual(["created", "created"]);
  expect(await propose(github)).toEqual(["none", "none"]);
  expect(await propose(github, { base: { commit: otherCommit, tree } }, { title: "Release 1.1.0" })).toEqual([
    "updated",
    "updated",
  ]);
  expect(github.proposals()).toEqual({
    branches: { versions: { message: "Versions", parents: [otherCommit], base: tree, files } },
    pullRequests: [{ ...pullRequest, number: 2, state: "open", title: "Release 1.1.0" }],
  });
});

test("on top of a branch: made where it is missing, then one commit after the other", async () => {
  const github = await startForTest();
  const proposals = open(github);
  const add = (path: string) =>
    proposals.commitToBranch({
      branch: "history",
      message: path,
      base: "branch",
      files: [{ path, text: path }],
    });
  const first = await add("a.json");
  const second = await add("b.json");
  expect(await add("b.json")).toEqual({ commit: second.commit, change: "none" });
  expect([first.change, second.change]).toEqual(["created", "updated"]);
  expect(github.proposals().branches).toEqual({
    history: {
      message: "b.json",
      parents: [first.commit],
      base: undefined,
      files: { "a.json": "a.json", "b.json": "b.json" },
    },
  });
});

test.each<[string, FaultRule]>([
  ["made and answered with 502", { match: { method: "POST", times: 1 }, fault: { storedButError: 502 } }],
  ["answered with 503 and not made", { match: { method: "POST", times: 1 }, fault: { status: 503 } }],
  ["moved and answered with 502", { match: { method: "PATCH", times: 1 }, fault: { storedButError: 502 } }],
])("what is %s is there once in the end", async (_, fault) => {
  const github = await startForTest();
  await propose(github);
  github.setFaults([fault]);
  await propose(github, { base: { commit: otherCommit, tree } });
  const { branches, pullRequests } = github.proposals();
  expect([branches.versions?.parents, pullRequests.length]).toEqual([[otherCommit], 1]);
});
