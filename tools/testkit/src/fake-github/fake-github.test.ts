import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { Octokit } from "@octokit/rest";
import { expect, onTestFinished, test } from "vitest";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "./index.ts";

const commit = "1".repeat(40);
const other = "2".repeat(40);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

async function start(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const github = await startFakeGithub(options);
  onTestFinished(() => github.close());
  return github;
}

function connect(github: FakeGithub, token: string | undefined = github.token) {
  const { owner, name: repo } = github.repository;
  const octokit = new Octokit({ baseUrl: github.apiUrl, auth: token, log: quiet });
  const at = { owner, repo };
  return {
    octokit,
    at,
    upload: (release: { id: number; upload_url: string }, name: string, data: Buffer) =>
      octokit.repos.uploadReleaseAsset({
        ...at,
        release_id: release.id,
        name,
        url: release.upload_url,
        // Octokit's type knows text alone; it sends bytes as they are.
        data: data as unknown as string,
        headers: { "content-type": "application/octet-stream" },
      }),
  };
}

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    ({ status, message }: { status: number; message: string }) => `${status} ${message.split(" - ")[0]}`,
  );

test("a whole release: tag, draft, asset, published; and it is what the snapshot shows", async () => {
  const github = await start();
  const { octokit, at, upload } = connect(github);
  await octokit.git.createRef({ ...at, ref: "refs/tags/v1.0.0", sha: commit });
  const { data: draft } = await octokit.repos.createRelease({
    ...at,
    tag_name: "v1.0.0",
    name: "1.0.0",
    body: "first",
    draft: true,
  });
  const bytes = Buffer.from("hello");
  const { data: asset } = await upload(draft, "hello world.txt", bytes);
  // A draft is not found by its tag, and nobody downloads from it.
  expect(await statusOf(octokit.repos.getReleaseByTag({ ...at, tag: "v1.0.0" }))).toBe("404 Not Found");
  expect((await fetch(asset.browser_download_url)).status).toBe(404);
  await octokit.repos.updateRelease({ ...at, release_id: draft.id, draft: false });
  const { data: published } = await octokit.repos.getReleaseByTag({ ...at, tag: "v1.0.0" });
  const download = await fetch(published.assets[0]!.browser_download_url);
  expect([published.draft, await download.text()]).toEqual([false, "hello"]);
  expect(github.snapshot()).toEqual({
    tags: { "v1.0.0": commit },
    latest: "v1.0.0",
    comments: {},
    releases: [
      {
        tag: "v1.0.0",
        name: "1.0.0",
        body: "first",
        state: "published",
        prerelease: false,
        assets: [
          {
            name: "hello.world.txt",
            state: "uploaded",
            sizeBytes: 5,
            sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
          },
        ],
      },
    ],
  });
});

test("tags: annotated ones lead to their commit, a second one is refused, protected ones too", async () => {
  const github = await start({ commits: [commit], protectedTags: ["v9*"] });
  const { octokit, at } = connect(github);
  const { data: tag } = await octokit.git.createTag({
    ...at,
    tag: "v1",
    message: "one",
    object: commit,
    type: "commit",
  });
  const create = (ref: string, sha: string) => statusOf(octokit.git.createRef({ ...at, ref, sha }));
  expect([
    await create("refs/tags/v1", tag.sha),
    await create("refs/tags/v1", commit),
    await create("refs/tags/v2", other),
    await create("refs/tags/v9.1", commit),
    await create("v3", commit),
  ]).toEqual([
    "done",
    "422 Reference already exists",
    "422 Object does not exist",
    "422 Repository rule violations found\n\nCannot create ref due to creations being restricted.\n\n",
    "422 v3 is not a valid ref name.",
  ]);
  const { data: ref } = await octokit.git.getRef({ ...at, ref: "tags/v1" });
  const { data: read } = await octokit.git.getTag({ ...at, tag_sha: ref.object.sha });
  expect([ref.object.type, read.object.sha, github.snapshot().tags]).toEqual(["tag", commit, { v1: commit }]);
});

test("publishing makes a missing tag, twice the same tag is refused, a deleted tag makes a draft again", async () => {
  const github = await start({ protectedTags: ["p*"] });
  const { octokit, at } = connect(github);
  const create = (tag_name: string, rest = {}) =>
    octokit.repos.createRelease({ ...at, tag_name, target_commitish: commit, ...rest });
  await create("v1", { prerelease: true });
  expect(await statusOf(create("v1"))).toMatch(/^422 Validation Failed: .*already_exists/);
  expect(await statusOf(create("p1"))).toMatch(/pre_receive Repository rule violations found/);
  expect(github.snapshot()).toMatchObject({ tags: { v1: commit }, latest: null });
  await octokit.git.deleteRef({ ...at, ref: "tags/v1" });
  expect(github.snapshot().releases).toMatchObject([{ tag: "v1", state: "draft" }]);
});

test("an upload that breaks off leaves a starter, whose name is taken until it is deleted", async () => {
  const github = await start({
    faults: [
      {
        match: { method: "POST", route: "/repos/{owner}/{repo}/releases/{id}/assets", times: 1 },
        fault: { cut: { requestAfterBytes: 3 } },
      },
    ],
  });
  const { octokit, at, upload } = connect(github);
  const { data: draft } = await octokit.repos.createRelease({ ...at, tag_name: "v1", draft: true });
  const bytes = Buffer.from("hello");
  expect(await statusOf(upload(draft, "a.txt", bytes))).toMatch(/^500/);
  expect(await statusOf(upload(draft, "a.txt", bytes))).toMatch(/^422 Validation Failed: .*already_exists/);
  const { data: assets } = await octokit.repos.listReleaseAssets({ ...at, release_id: draft.id });
  expect(assets).toMatchObject([{ name: "a.txt", state: "starter", size: 0, digest: null }]);
  await octokit.repos.deleteReleaseAsset({ ...at, asset_id: assets[0]!.id });
  expect(await statusOf(upload(draft, "a.txt", bytes))).toBe("done");
});

test("an immutable release keeps its assets and its tag", async () => {
  const github = await start({ immutableReleases: true });
  const { octokit, at, upload } = connect(github);
  const { data: release } = await octokit.repos.createRelease({ ...at, tag_name: "v1" });
  expect([
    await statusOf(upload(release, "a.txt", Buffer.from("a"))),
    await statusOf(octokit.git.deleteRef({ ...at, ref: "tags/v1" })),
    (await octokit.repos.deleteRelease({ ...at, release_id: release.id })).status,
    await statusOf(octokit.repos.createRelease({ ...at, tag_name: "v1" })),
  ]).toEqual([
    expect.stringContaining("immutable_release"),
    "422 Cannot change a tag that an immutable release uses",
    204,
    expect.stringContaining("tag_name was used by an immutable release"),
  ]);
});

test("who may do what", async () => {
  const github = await start({ tokens: { writer: "write", reader: "read", stranger: "hidden" } });
  const [writer, reader] = [connect(github, "writer"), connect(github, "reader")];
  await writer.octokit.repos.createRelease({ ...writer.at, tag_name: "v1", draft: true });
  const { data: seen } = await reader.octokit.repos.listReleases(reader.at);
  const { data: repository } = await reader.octokit.repos.get(reader.at);
  const [stranger, wrong] = [connect(github, "stranger"), connect(github, "wrong")];
  const draft = { tag_name: "v2", draft: true };
  expect([
    seen,
    repository.permissions?.push,
    await statusOf(reader.octokit.repos.createRelease({ ...reader.at, ...draft })),
    await statusOf(stranger.octokit.repos.get(stranger.at)),
    await statusOf(wrong.octokit.repos.get(wrong.at)),
    await statusOf(writer.octokit.repos.get({ owner: "codex-js", repo: "other" })),
  ]).toEqual([
    [],
    false,
    "403 Resource not accessible by personal access token",
    "404 Not Found",
    "401 Bad credentials",
    "404 Not Found",
  ]);
});

test("lists come in pages, with links to the next", async () => {
  const github = await start();
  const { octokit, at } = connect(github);
  for (const body of ["a", "b", "c"]) await octokit.issues.createComment({ ...at, issue_number: 1, body });
  const { data, headers } = await octokit.issues.listComments({ ...at, issue_number: 1, per_page: 2 });
  const all = await octokit.paginate(octokit.issues.listComments, { ...at, issue_number: 1, per_page: 2 });
  expect([data.length, headers.link, all.map(({ body }) => body)]).toEqual([
    2,
    expect.stringContaining('page=2>; rel="next"'),
    ["a", "b", "c"],
  ]);
});

test("every answer says what is left of the limit, and then there is nothing left", async () => {
  const github = await start({ rateLimit: 1, now: () => new Date("2026-01-01T00:00:00Z") });
  const { octokit, at } = connect(github);
  const { headers } = await octokit.repos.get(at);
  const refused = await octokit.repos.get(at).catch((error) => error);
  expect([headers["x-ratelimit-remaining"], refused.status, refused.response.headers]).toEqual([
    "0",
    403,
    expect.objectContaining({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767229200" }),
  ]);
});

test("a former name redirects, by number, as GitHub does", async () => {
  const github = await start({ formerNames: ["old/name"] });
  const { octokit } = connect(github);
  const { data } = await octokit.repos.get({ owner: "old", repo: "name" });
  const direct = await fetch(`${github.apiUrl}/repos/old/name`, { redirect: "manual" });
  expect([data.full_name, direct.status, direct.headers.get("location")]).toEqual([
    "codex-js/codex-js",
    301,
    `${github.apiUrl}/repositories/1000`,
  ]);
});

test.each<[string, string, RequestInit, RegExp]>([
  ["an unknown path", "/repos/codex-js/codex-js/relases", {}, /no operation GET/],
  ["an unknown query", "/repos/codex-js/codex-js/releases?size=3", {}, /query has size/],
  ["a wrong type in the path", "/repos/codex-js/codex-js/releases/one", {}, /release_id=one.*integer/],
  ["what the fake leaves out", "/repos/codex-js/codex-js/labels", {}, /nothing that this fake does/],
  [
    "an unknown property",
    "/repos/codex-js/codex-js/releases",
    { method: "POST", body: '{"tag_name":"v1","drafft":true}' },
    /additional properties.*drafft/,
  ],
  [
    "a missing property",
    "/repos/codex-js/codex-js/git/refs",
    { method: "POST", body: '{"ref":"refs/tags/v1"}' },
    /required property 'sha'/,
  ],
  ["no JSON", "/repos/codex-js/codex-js/git/refs", { method: "POST", body: "{" }, /no JSON/],
])("%s is a violation, and the fake's end fails with it", async (_, path, init, problem) => {
  const github = await startFakeGithub();
  const headers = { authorization: `token ${github.token}`, "content-type": "application/json" };
  const response = await fetch(`${github.apiUrl}${path}`, { ...init, headers });
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
    400,
    expect.stringMatching(problem),
  ]);
  await expect(github.close()).rejects.toThrow(problem);
});

test("a state folder outlives the server", () =>
  withTempDir("codex-js-fake-github", async (stateDir) => {
    const first = await startFakeGithub({ stateDir });
    const { octokit, at, upload } = connect(first);
    const { data: release } = await octokit.repos.createRelease({ ...at, tag_name: "v1" });
    await upload(release, "a.txt", Buffer.from("kept"));
    const before = first.snapshot();
    await first.close();
    await using second = await startFakeGithub({ stateDir });
    expect([second.snapshot(), second.readAsset("v1", "a.txt")?.toString()]).toEqual([before, "kept"]);
    expect(JSON.parse(readFileSync(join(stateDir, "state.json"), "utf8")).releases.length).toBe(1);
  }));

test("the signal closes it", async () => {
  const abort = new AbortController();
  const github = await startFakeGithub({ signal: abort.signal });
  abort.abort();
  await github.close();
  await expect(fetch(github.apiUrl)).rejects.toThrow();
  await expect(startFakeGithub({ signal: abort.signal })).rejects.toThrow();
});

test("a port that is taken", async () => {
  const github = await start();
  const port = Number(new URL(github.uploadUrl).port);
  await expect(startFakeGithub({ uploadPort: port })).rejects.toMatchObject({
    code: "CODEX_JS_TESTKIT_PORT_UNUSABLE",
  });
});
