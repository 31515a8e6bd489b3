// Every kind of fault at the fake GitHub, with the real Octokit for a client.
import { Octokit } from "@octokit/rest";
import { expect, onTestFinished, test } from "vitest";
import { startFakeGithub } from "../src/fake-github/index.ts";
import type { Fault } from "../src/fault-plan/index.ts";

const commit = "1".repeat(40);

async function start() {
  const github = await startFakeGithub();
  onTestFinished(() => github.close());
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const octokit = new Octokit({ baseUrl: github.apiUrl, auth: github.token, log: quiet });
  const at = { owner: github.repository.owner, repo: github.repository.name };
  const outcome = (call: Promise<{ status: number }>) =>
    call.then(
      ({ status }) => status,
      ({ status, response }: { status: number; response?: unknown }) => (response ? status : "no answer"),
    );
  return {
    github,
    octokit,
    at,
    outcome,
    createTag: (tag = "v1") =>
      outcome(octokit.git.createRef({ ...at, ref: `refs/tags/${tag}`, sha: commit })),
    readTag: () => outcome(octokit.git.getRef({ ...at, ref: "tags/v1" })),
  };
}

test.each<[Fault, number | string, string[]]>([
  [{ status: 503 }, 503, []],
  [{ delayMs: 20 }, 201, ["v1"]],
  [{ cut: "request" }, "no answer", []],
  [{ cut: "answer" }, "no answer", ["v1"]],
  [{ cut: { requestAfterBytes: 10 } }, "no answer", []],
  [{ storedButError: 502 }, 502, ["v1"]],
  // Octokit takes a status whose body breaks off for a success without content.
  [{ cut: { answerAfterBytes: 10 } }, 201, ["v1"]],
])("a tag that meets %j ends with %s, and %j is there", async (fault, outcome, tags) => {
  const { github, createTag } = await start();
  github.setFaults([{ match: { method: "POST", route: "/repos/{owner}/{repo}/git/refs", times: 1 }, fault }]);
  expect([await createTag(), Object.keys(github.snapshot().tags)]).toEqual([outcome, tags]);
  expect(github.requests.map((request) => request.fault)).toEqual([Object.keys(fault)[0]]);
});

test("an upload with wrong bytes has another digest, a download with wrong bytes another content", async () => {
  const { github, octokit, at } = await start();
  const { data: release } = await octokit.repos.createRelease({ ...at, tag_name: "v1" });
  const upload = (name: string) =>
    octokit.repos.uploadReleaseAsset({
      ...at,
      release_id: release.id,
      url: release.upload_url,
      name,
      data: "hello",
      headers: { "content-type": "text/plain" },
    });
  const { data: right } = await upload("right.txt");
  github.setFaults([{ match: { path: "/assets|/download/" }, fault: { wrongBytes: true } }]);
  const { data: wrong } = await upload("wrong.txt");
  const text = await (await fetch(right.browser_download_url)).text();
  expect([wrong.size, wrong.digest === right.digest, text]).toEqual([5, false, "hemlo"]);
});

test("a tag is there and not seen, alone and in a list", async () => {
  const { github, octokit, at, createTag, readTag } = await start();
  github.setFaults([{ match: { method: "GET" }, fault: { invisibleForPolls: 2 } }]);
  const list = async () =>
    (await octokit.git.listMatchingRefs({ ...at, ref: "tags/" })).data.map(({ ref }) => ref.slice(10));
  await createTag("v0");
  expect([await list(), await list(), await list()]).toEqual([[], [], ["v0"]]);
  await createTag();
  expect([await readTag(), await readTag(), await readTag()]).toEqual([404, 404, 200]);
  expect([await list(), await list(), await list()]).toEqual([["v0"], ["v0"], ["v0", "v1"]]);
});

test("reads are behind", async () => {
  const { github, createTag, readTag } = await start();
  github.setFaults([{ match: { method: "GET" }, fault: { staleReads: 2 } }]);
  const before = await readTag();
  await createTag();
  expect([before, await readTag(), await readTag(), await readTag()]).toEqual([404, 404, 404, 200]);
});
