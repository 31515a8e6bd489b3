import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  createProcessContext,
  pickUserEnv,
  runProcess,
  runWithContext,
  withTempDir,
} from "@codex-js/cli-kit";
import { type FakeGithub, startFakeGithub } from "@codex-js/testkit/fake-github";
import { expect, test } from "vitest";
import { defineCi } from "../define-ci.ts";

const changeset = '---\n"@fixture/sdk": minor\n---\n\nTurns can be steered.\n';
const manifest = (name: string, more = {}) =>
  `${JSON.stringify({ name: `@fixture/${name}`, version: "1.0.0", ...more }, null, 2)}\n`;

async function makeRepository(root: string): Promise<{ commit: string; tree: string }> {
  const files = {
    "package.json": '{ "name": "fixture", "private": true, "packageManager": "pnpm@12.21.0" }\n',
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    ".changeset/config.json": JSON.stringify({
      changelog: false,
      fixed: [["@fixture/*"]],
      baseBranch: "main",
    }),
    ".changeset/steer.md": changeset,
    "packages/sdk/package.json": manifest("sdk"),
    "packages/cli/package.json": manifest("cli"),
    "packages/own/package.json": manifest("own", { private: true }),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await git(root, "init", "--quiet", "--initial-branch=main", ".");
  await git(root, "add", ".");
  await git(root, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "all");
  return { commit: await git(root, "rev-parse", "HEAD"), tree: await git(root, "rev-parse", "HEAD^{tree}") };
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await runProcess("git", args, { cwd, env: pickUserEnv(process.env) })).stdout.trim();
}

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
    const { commit, tree } = await makeRepository(root);
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
    expect(pullRequests[0]!.body).toContain("| @fixture/sdk | 1.0.0 | 1.1.0 |");
    // As the next run of the workflow has it: a clone of the same commit.
    await git(root, "reset", "--quiet", "--hard");
    expect((await propose(github, root)).out).toMatch(/^none: /);
    expect(github.proposals()).toEqual({ branches, pullRequests });
  });
});

test("with changes of one's own in the tree nothing is proposed, and with no changeset nothing is to be", async () => {
  await withTempDir("codex-js-version-pr", async (root) => {
    await using github = await startFakeGithub();
    await makeRepository(root);
    await writeFile(join(root, "mine.txt"), "mine");
    expect(await propose(github, root)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/mine\.txt \(CODEX_JS_CI_TREE_DIRTY\)/),
    });
    await git(root, "rm", "--quiet", ".changeset/steer.md");
    await git(root, "add", ".");
    await git(root, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "mine");
    expect(await propose(github, root)).toMatchObject({ exitCode: 0, out: "nothing to propose\n" });
    expect(github.requests).toEqual([]);
  });
});
