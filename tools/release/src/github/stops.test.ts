import { writeFile } from "node:fs/promises";
import { formatError } from "@codex-js/cli-kit";
import type { FakeGithub } from "@codex-js/testkit/fake-github";
import { Octokit } from "@octokit/rest";
import { expect, test } from "vitest";
import { compareState, type GithubReleasePlan } from "./index.ts";
import {
  commit,
  open,
  otherCommit,
  planForTest,
  releaseAll,
  startForTest,
} from "./testing/fixture-release.ts";

/** Somebody else's hand in the repository. */
function byHand(github: FakeGithub) {
  const octokit = new Octokit({ baseUrl: github.apiUrl, auth: github.token });
  const at = { owner: github.repository.owner, repo: github.repository.name };
  return { octokit, at };
}

async function upload(github: FakeGithub, plan: GithubReleasePlan, name: string) {
  const { release } = await open(github).ensureDraft(plan);
  const { octokit, at } = byHand(github);
  const headers = { "content-type": "text/plain" };
  const url = `${release.uploadUrl}{?name}`;
  await octokit.repos.uploadReleaseAsset({
    ...at,
    release_id: release.id,
    url,
    name,
    data: "other",
    headers,
  });
  return release;
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    ({ code, exitCode }) => `${String(code).replace("CODEX_JS_RELEASE_GITHUB_", "")} ${exitCode}`,
  );

test("a tag by hand on another commit, annotated or not, stops before anything is made", async () => {
  const github = await startForTest();
  const { octokit, at } = byHand(github);
  const { data } = await octokit.git.createTag({
    ...at,
    tag: "v2.0.0",
    message: "m",
    object: otherCommit,
    type: "commit",
  });
  await octokit.git.createRef({ ...at, ref: "refs/tags/v1.0.0", sha: otherCommit });
  await octokit.git.createRef({ ...at, ref: "refs/tags/v2.0.0", sha: data.sha });
  const [one, two] = [await planForTest(), await planForTest({ tag: "v2.0.0" })];
  expect([
    await failure(releaseAll(open(github), one)),
    await failure(releaseAll(open(github), two)),
  ]).toEqual(["TAG_ELSEWHERE 1", "TAG_ELSEWHERE 1"]);
  expect(github.snapshot().releases).toEqual([]);
  const [difference] = compareState(one, await open(github).readState(one));
  expect([difference?.kind, difference?.error?.condition]).toEqual(["different", "TAG_ELSEWHERE"]);
});

test("an annotated tag on the right commit is the tag", async () => {
  const github = await startForTest();
  const { octokit, at } = byHand(github);
  const { data } = await octokit.git.createTag({
    ...at,
    tag: "v1.0.0",
    message: "m",
    object: commit,
    type: "commit",
  });
  await octokit.git.createRef({ ...at, ref: "refs/tags/v1.0.0", sha: data.sha });
  expect(await open(github).ensureTag("v1.0.0", commit)).toEqual({ change: "none" });
});

test("a protected tag, an unknown commit, a tag that is missing at the end", async () => {
  const github = await startForTest({ commits: [commit], protectedTags: ["v9*"] });
  const releases = open(github);
  const { release } = await releases.ensureDraft(await planForTest());
  expect([
    await failure(releases.ensureTag("v9.0.0", commit)),
    await failure(releases.ensureTag("v1.0.0", otherCommit)),
    await failure(releases.publishRelease(release)),
  ]).toEqual(["TAG_PROTECTED 2", "COMMIT_UNKNOWN 2", "TAG_MISSING 1"]);
  expect(github.snapshot()).toMatchObject({ tags: {}, releases: [{ state: "draft" }] });
});

test("an asset with other bytes stops, one of another release shows, and neither is touched", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  const release = await upload(github, plan, plan.assets[0]!.name);
  await upload(github, plan, "stranger.txt");
  expect(await failure(open(github).ensureAsset({ ...plan.assets[0]!, release }))).toBe("ASSET_DIFFERS 1");
  const differences = compareState(plan, await open(github).readState(plan));
  expect(differences.map(({ part, name, kind, error }) => [part, name, kind, error?.condition])).toEqual([
    ["tag", "v1.0.0", "missing", undefined],
    ["release", "v1.0.0", "draft", undefined],
    ["asset", "sdk-1.0.0.tgz", "different", "ASSET_DIFFERS"],
    ["asset", "@codex-js+cli-1.0.0.tgz", "missing", undefined],
    ["asset", "stranger.txt", "unplanned", "ASSET_UNPLANNED"],
  ]);
  expect(github.readAsset(plan.tag, plan.assets[0]!.name)?.toString()).toBe("other");
});

test("a half-uploaded asset is seen, and sent again", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  const [asset] = plan.assets;
  const { release } = await open(github).ensureDraft(plan);
  const once = open(github, { delaysMs: [] });
  // The look after a failed attempt would clear it away.
  github.setFaults([
    { match: { method: "POST", path: "/assets", times: 1 }, fault: { cut: { requestAfterBytes: 1 } } },
    { match: { method: "DELETE", times: 1 }, fault: { status: 500 } },
  ]);
  expect(await failure(once.ensureAsset({ ...asset!, release }))).toBe("UNREACHABLE 3");
  const differences = compareState(plan, await open(github).readState(plan));
  expect(differences.map(({ kind }) => kind)).toEqual(["missing", "draft", "half-uploaded", "missing"]);
  expect((await open(github).ensureAsset({ ...asset!, release })).change).toBe("replaced");
});

test("two drafts with different texts are for somebody to look at", async () => {
  const github = await startForTest();
  const { octokit, at } = byHand(github);
  const plan = await planForTest();
  for (const body of [plan.body, "by hand"]) {
    await octokit.repos.createRelease({ ...at, tag_name: plan.tag, name: plan.name, body, draft: true });
  }
  expect(await failure(open(github).ensureDraft(plan))).toBe("DRAFT_AMBIGUOUS 1");
  const state = await open(github).readState(plan);
  expect(compareState(plan, state).map(({ kind }) => kind)).toContain("different");
  expect(github.snapshot().releases.length).toBe(2);
});

test("wrong files and names stop before they are sent", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  const { release } = await open(github).ensureDraft(plan);
  const [asset] = plan.assets;
  await writeFile(asset!.path, "tampered");
  expect([
    await failure(open(github).ensureAsset({ ...asset!, release })),
    await failure(open(github).ensureAsset({ ...asset!, name: "a b.tgz", release })),
  ]).toEqual(["ASSET_FILE_CHANGED 1", "ASSET_NAME 2"]);
  expect(github.snapshot().releases[0]?.assets).toEqual([]);
});

test("uploads that always arrive with wrong bytes stop, and a draft is not published by it", async () => {
  const github = await startForTest({
    faults: [{ match: { path: "/assets", method: "POST" }, fault: { wrongBytes: true } }],
  });
  expect(await failure(releaseAll(open(github), await planForTest()))).toBe("ASSET_CORRUPT 3");
  expect(github.snapshot().releases).toMatchObject([{ state: "draft" }]);
});

test("an immutable release that lacks something cannot be mended; one that is whole is done", async () => {
  const github = await startForTest({ immutableReleases: true });
  const plan = await planForTest();
  const [first, second] = plan.assets;
  await releaseAll(open(github), { ...plan, assets: [first!] });
  const { release } = await open(github).ensureDraft(plan);
  expect([
    (await open(github).ensureAsset({ ...first!, release })).change,
    await failure(open(github).ensureAsset({ ...second!, release })),
  ]).toEqual(["none", "IMMUTABLE 1"]);
});

test("a draft that is gone", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  const { release } = await open(github).ensureDraft(plan);
  const { octokit, at } = byHand(github);
  await octokit.repos.deleteRelease({ ...at, release_id: release.id });
  expect(await failure(open(github).publishRelease(release))).toBe("DRAFT_GONE 1");
});

test("access: wrong token, no rights, hidden, moved, and good", async () => {
  const github = await startForTest({
    tokens: { "writer-token": "write", "reader-token": "read", "stranger-token": "hidden" },
    formerNames: ["old/name"],
  });
  const check = (token: string, repository = github.repository) =>
    failure(open(github, { token, repository }).checkAccess());
  expect([
    await check("writer-token"),
    await check("reader-token"),
    await check("stranger-token"),
    await check("wrong-token"),
    await check("writer-token", { owner: "old", name: "name" }),
    await failure(open(github, { token: "reader-token" }).ensureTag("v1", commit)),
    // To a stranger a repository without tags and releases looks the same: it must not.
    await failure(open(github, { token: "stranger-token" }).readState({ tag: "v1" })),
  ]).toEqual([
    "done",
    "READ_ONLY 2",
    "NO_ACCESS 2",
    "BAD_TOKEN 2",
    "REPOSITORY_MOVED 2",
    "READ_ONLY 2",
    "NO_ACCESS 2",
  ]);
});

test("an outage, an unreachable host, a login page, a rate limit that lasts, and a refusal", async () => {
  const github = await startForTest();
  const check = (fault: Parameters<FakeGithub["setFaults"]>[0][number]["fault"]) => {
    github.setFaults([{ match: {}, fault }]);
    return failure(open(github).checkAccess());
  };
  const limited = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" };
  expect([
    await check({ status: 503 }),
    await check({ cut: "request" }),
    await check({ status: 200, body: "<html>", headers: { "content-type": "text/html" } }),
    await check({ status: 403, body: { message: "API rate limit exceeded" }, headers: limited }),
    await check({ status: 422, body: { message: "Validation Failed" } }),
  ]).toEqual(["OUTAGE 3", "UNREACHABLE 3", "BAD_ANSWER 3", "RATE_LIMITED 3", "REFUSED 3"]);
});

test.each(["ftp://api.github.com", "http://api.github.com", "https://me:pw@api.github.com", "github"])(
  "the token is not sent to %s",
  async (apiUrl) => {
    const github = await startForTest();
    expect(() => open(github, { apiUrl })).toThrow(
      expect.objectContaining({ code: "CODEX_JS_RELEASE_GITHUB_BAD_URL" }),
    );
  },
);

test("the signal ends a wait, with its own reason", async () => {
  const github = await startForTest({ faults: [{ match: {}, fault: { delayMs: 2 ** 30 } }] });
  const abort = new AbortController();
  const context = { fetch, signal: abort.signal };
  const call = open(github, { context }).checkAccess();
  while (github.requests.length === 0) await new Promise(setImmediate);
  abort.abort(new Error("stopped by SIGINT"));
  await expect(call).rejects.toThrow("stopped by SIGINT");
});

// Guards every way out: messages, remedies, causes, the log.
test("the token shows nowhere, whatever goes wrong", async () => {
  const token = "canary-7d1f-not-like-any-token";
  const github = await startForTest({ tokens: { [token]: "write" }, commits: [commit] });
  const plan = await planForTest();
  const outputs: string[] = [];
  const note = async (call: (releases: ReturnType<typeof open>) => Promise<unknown>) => {
    const releases = open(github, { token });
    await call(releases).catch((error) =>
      outputs.push(formatError(error), String(error), JSON.stringify(error)),
    );
    outputs.push(...releases.log);
  };
  const leak = { message: `token ${token} is wrong, Authorization: token ${token}` };
  for (const status of [400, 401, 403, 404, 409, 422, 500]) {
    github.setFaults([{ match: {}, fault: { status, body: leak } }]);
    await note((releases) => releases.checkAccess());
    await note((releases) => releaseAll(releases, plan));
  }
  github.setFaults([{ match: {}, fault: { status: 200, body: leak } }]);
  await note((releases) => releaseAll(releases, plan));
  github.setFaults([{ match: { method: "POST" }, fault: { cut: "request" } }]);
  await note((releases) => releases.ensureTag(token, commit));
  expect(outputs.length).toBeGreaterThan(40);
  expect(outputs.filter((text) => text.includes(token))).toEqual([]);
});
