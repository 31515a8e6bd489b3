import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProcessContext, pickUserEnv, runWithContext, withTempDir } from "@codex-js/cli-kit";
import { type FakeGithub, startFakeGithub } from "@codex-js/testkit/fake-github";
import { expect, test } from "vitest";
import { defineCi } from "../src/define-ci.ts";
import { commitAll, createFixtureRepository, git } from "./fixture-repository.ts";

async function propose(github: FakeGithub, cwd: string) {
  const [out, err]: [string[], string[]] = [[], []];
  const context = {
    ...createProcessContext(new AbortController().signal),
    cwd,
    env: {
      ...pickUserEnv(process.env),
      GITHUB_TOKEN: github.token,
      GITHUB_REPOSITORY: "codex-js/codex-js",
      GITHUB_API_URL: github.apiUrl,
    },
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const exitCode = await runWithContext(defineCi, context, ["version-pr", "--base", "main"]);
  return { exitCode, out: out.join(""), err: err.join("") };
}

test("pending changesets become one pull request, which a second run leaves as it is", async () => {
  await withTempDir("codex-js-version-pr", async (root) => {
    await using github = await startFakeGithub();
    await createFixtureRepository(root);
    const commit = await git(root, "rev-parse", "HEAD");
    const tree = await git(root, "rev-parse", "HEAD^{tree}");
    expect(await propose(github, root)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^created: /),
    });
    const { branches, pullRequests } = github.proposals();
    expect(branches).toEqual({
      "changeset-release/main": {
        message: "Release 1.1.0",
        parents: [commit],
        base: tree,
        files: {
          ".changeset/steer.md": null,
          "packages/cli/package.json": expect.stringContaining('"version": "1.1.0"'),
          "packages/sdk/package.json": expect.stringContaining('"version": "1.1.0"'),
        },
      },
    });
    expect(pullRequests).toMatchObject([
      { head: "changeset-release/main", base: "main", title: "Release 1.1.0" },
    ]);
    expect(pullRequests[0]!.body).toContain("| @codex-js/sdk | 1.0.0 | 1.1.0 |");
    // As the next run of the workflow has it: a clone of the same commit.
    await git(root, "reset", "--quiet", "--hard");
    expect((await propose(github, root)).out).toMatch(/^none: /);
    expect(github.proposals()).toEqual({ branches, pullRequests });
  });
});

test("with changes of one's own in the tree nothing is proposed, and with no changeset nothing is to be", async () => {
  await withTempDir("codex-js-version-pr", async (root) => {
    await using github = await startFakeGithub();
    await createFixtureRepository(root);
    await writeFile(join(root, "mine.txt"), "mine");
    expect(await propose(github, root)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/mine\.txt \(CODEX_JS_CI_TREE_DIRTY\)/),
    });
    await git(root, "rm", "--quiet", ".changeset/steer.md");
    await commitAll(root, "mine");
    expect(await propose(github, root)).toMatchObject({ exitCode: 0, out: "nothing to propose\n" });
    expect(github.requests).toEqual([]);
  });
});
