import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProcessContext, runWithContext, withTempDir } from "@codex-js/cli-kit";
import type { SizeReport } from "@codex-js/size-gate";
import { type FakeGithub, startFakeGithub } from "@codex-js/testkit/fake-github";
import { expect, test } from "vitest";
import { defineCi } from "../define-ci.ts";

const report: SizeReport = {
  version: 1,
  verdict: "passed",
  checks: { passed: 3, failed: 0, skipped: 1 },
  packages: [
    {
      name: "@codex-js/sdk",
      version: "1.0.0",
      packedBytes: 40_000,
      unpackedBytes: 100_000,
      files: [{ path: "<img src=x>", sizeBytes: 1 }],
      budget: null,
      lastRelease: { status: "unknown", reason: "<b>@everybody</b>" },
      problems: [],
    },
  ],
  bundles: [],
  leftOut: [],
  problems: [],
};

interface Event {
  pull_request?: { number: number; head: { repo: { full_name: string } | null } };
  repository: { full_name: string };
}
const own = { full_name: "codex-js/codex-js" };
const pullRequest = (repo: { full_name: string } | null): Event => ({
  pull_request: { number: 1, head: { repo } },
  repository: own,
});

async function comment(github: FakeGithub, event: Event, content: unknown = report, env = {}) {
  return withTempDir("codex-js-ci", async (dir) => {
    await writeFile(join(dir, "event.json"), JSON.stringify(event));
    await writeFile(join(dir, "size.json"), JSON.stringify(content));
    const [out, err]: [string[], string[]] = [[], []];
    const context = {
      ...createProcessContext(new AbortController().signal),
      cwd: dir,
      env: {
        GITHUB_EVENT_PATH: join(dir, "event.json"),
        GITHUB_TOKEN: github.token,
        GITHUB_REPOSITORY: own.full_name,
        GITHUB_API_URL: github.apiUrl,
        ...env,
      },
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    };
    const exitCode = await runWithContext(defineCi, context, ["size-comment", "--report", "size.json"]);
    return { exitCode, out: out.join(""), err: err.join("") };
  });
}

test("a pull request has one comment with the table, brought up to date", async () => {
  await using github = await startFakeGithub();
  expect((await comment(github, pullRequest(own))).out).toMatch(/^created: http/);
  expect((await comment(github, pullRequest(own))).out).toMatch(/^none: http/);
  const grown = { ...report, verdict: "failed" };
  expect((await comment(github, pullRequest(own), grown)).out).toMatch(/^updated: http/);
  const { 1: comments = [] } = github.snapshot().comments;
  expect(comments.length).toBe(1);
  expect(comments[0]).toContain("### ❌ Package sizes");
  // Nobody is called, nothing is drawn that the report's own words ask for.
  expect(comments[0]).toContain("| @\u200bcodex-js/sdk | 1.0.0 |");
  expect(comments[0]).not.toMatch(/@everybody|<b>|<img/);
});

test.each<[string, Event]>([
  ["from a fork", pullRequest({ full_name: "somebody/codex-js" })],
  ["from a fork that is gone", pullRequest(null)],
  ["that is none", { repository: own }],
])("a pull request %s gets no comment, and no token is needed", async (_, event) => {
  await using github = await startFakeGithub();
  const { exitCode, out } = await comment(github, event, report, { GITHUB_TOKEN: "" });
  expect({ exitCode, out, requests: github.requests.length }).toEqual({
    exitCode: 0,
    out: expect.stringMatching(/^no comment: /),
    requests: 0,
  });
});

test.each<[string, unknown, object, string, number]>([
  ["another report", { ...report, packages: [{}] }, {}, "CODEX_JS_CI_BAD_SIZE_REPORT", 3],
  ["no token", report, { GITHUB_TOKEN: "" }, "CODEX_JS_CI_NO_GITHUB", 2],
  ["a wrong token", report, { GITHUB_TOKEN: "ghp_notAToken0000" }, "CODEX_JS_RELEASE_GITHUB_BAD_TOKEN", 2],
])("%s is an error that says so", async (_, content, env, code, exitCode) => {
  await using github = await startFakeGithub();
  const failed = await comment(github, pullRequest(own), content, env);
  expect(failed).toMatchObject({ exitCode, err: expect.stringContaining(code) });
  expect(failed.err).not.toContain("notAToken");
});
