// What GitHub answered once, as Octokit's maintainers recorded it, against what the fake answers.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FakeGithub, startFakeGithub } from "../src/fake-github/index.ts";
import { compareAnswers } from "./compare-answers.ts";

interface RecordedStep {
  scope: string;
  method: string;
  path: string;
  body: unknown;
  status: number;
  response: unknown;
  reqheaders: Record<string, string>;
}

interface Scenario {
  /** Numbers of the steps that are replayed, from 0; default all. */
  steps?: number[];
  commits?: string[];
  formerNames?: string[];
  prepare?: (send: Send) => Promise<void>;
  /** Something that happened unrecorded before this step. */
  between?: { step: number; act: (send: Send) => Promise<void> };
}

type Send = (step: Pick<RecordedStep, "method" | "path" | "body"> & Partial<RecordedStep>) => Promise<{
  status: number;
  json: unknown;
}>;

const [commit, next] = [`${"0".repeat(39)}1`, `${"0".repeat(39)}2`];
const owner = "octokit-fixture-org";

const createRelease = (repository: string) => ({
  method: "post",
  path: `/repos/${owner}/${repository}/releases`,
  body: { tag_name: "v1.0.0", target_commitish: commit, name: "Version 1.0.0", body: "Initial release" },
});

const replayed: Record<string, Scenario> = {
  "release-assets": {
    commits: [commit],
    prepare: async (send) => void (await send(createRelease("release-assets"))),
  },
  "release-assets-conflict": {
    commits: [commit],
    prepare: async (send) => void (await send(createRelease("release-assets-conflict"))),
    // The first upload, which the second one is in conflict with.
    between: {
      step: 1,
      act: async (send) => {
        await send({
          scope: "https://uploads.github.com:443",
          method: "post",
          path: `/repos/${owner}/release-assets-conflict/releases/1000/assets?name=test-upload.txt&label=test`,
          body: "Hello, world!\n",
          reqheaders: { "content-type": "text/plain" },
        });
      },
    },
  },
  // Steps 0 and 3 list the refs by a path that has left GitHub's description.
  "git-refs": { commits: [commit, next], steps: [1, 2, 4] },
  // A release meets the redirect of step 1; renaming (0, 3, 4) is no part of it, and step 2 is where step 1 leads to.
  "rename-repository": { formerNames: [`${owner}/rename-repository`], steps: [1] },
};

/** Why a scenario is not replayed: what no release does, the fake does not do. */
const notReplayed: Record<string, string> = {
  "add-and-remove-repository-collaborator": "collaborators",
  "add-labels-to-issue": "labels",
  "branch-protection": "protection of branches",
  "create-file": "contents",
  "create-status": "commit statuses",
  errors: "labels; the form of its 422 is that of release-assets-conflict",
  "get-archive": "archives",
  "get-content": "contents",
  "get-organization": "organisations",
  "get-repository":
    "the fake answers with the description's example of one, a release looks at its name alone",
  "get-root": "the API's table of contents",
  labels: "labels",
  "lock-issue": "locks",
  "mark-notifications-as-read": "notifications",
  markdown: "rendering",
  "paginate-issues": "lists of issues, by numbered paths; pages are tested at comments",
  "project-cards": "project boards",
  "search-issues": "search",
};

const require = createRequire(import.meta.url);
const scenarioDir = join(
  dirname(require.resolve("@octokit/fixtures/package.json")),
  "scenarios/api.github.com",
);

test("every recorded scenario is replayed, or has a reason not to be", () => {
  expect(Object.keys({ ...replayed, ...notReplayed }).sort()).toEqual(readdirSync(scenarioDir).sort());
});

test.each(Object.entries(replayed))("%s", async (name, scenario) => {
  const { steps, commits, formerNames, prepare, between } = scenario;
  const recorded: RecordedStep[] = JSON.parse(
    readFileSync(join(scenarioDir, name, "normalized-fixture.json"), "utf8"),
  );
  const github = await startFakeGithub({
    repository: { owner, name: readRepositoryName(recorded, formerNames) },
    ...(commits === undefined ? {} : { commits }),
    ...(formerNames === undefined ? {} : { formerNames }),
  });
  onTestFinished(() => github.close());
  const send = createSender(github);
  await prepare?.(send);
  for (const [index, step] of recorded.entries()) {
    if (steps?.includes(index) === false) continue;
    if (between?.step === index) await between.act(send);
    const answer = await send(step);
    const differences = compareAnswers(step.response, answer.json, github);
    expect({ step: index, status: answer.status, differences }).toEqual({
      step: index,
      status: step.status,
      differences: [],
    });
  }
});

/** Of a renamed one the later name: the fake knows the other as a former one. */
function readRepositoryName(recorded: RecordedStep[], formerNames: string[] | undefined): string {
  const name = recorded[0]!.path.split("/")[3]!;
  return formerNames === undefined ? name : `${name}-newname`;
}

/** Sends recorded requests, with the fake's numbers in place of the recorded ones. */
function createSender(github: FakeGithub): Send {
  const ids = new Map<string, number>();
  const kindOf = (path: string) => (/\/assets(\/|\?|$)/.test(path) ? "assets" : "releases");
  const learn = (path: string, json: unknown, recorded: unknown) => {
    const [actual, expected] = [json, recorded].map((each) => (Array.isArray(each) ? each[0] : each));
    const { id } = (expected ?? {}) as { id?: number };
    if (id !== undefined) ids.set(`${kindOf(path)} ${id}`, (actual as { id: number }).id);
  };
  const translate = (path: string) =>
    path
      .replace(/\/releases\/assets\/(\d+)/, (_, id) => `/releases/assets/${ids.get(`assets ${id}`) ?? id}`)
      .replace(/\/releases\/(\d+)/, (_, id) => `/releases/${ids.get(`releases ${id}`) ?? id}`);
  return async ({ scope = "", method, path, body, reqheaders = {}, response }) => {
    const isText = typeof body === "string";
    const answer = await fetch(
      `${scope.includes("uploads") ? github.uploadUrl : github.apiUrl}${translate(path)}`,
      {
        method: method.toUpperCase(),
        redirect: "manual",
        headers: {
          accept: "application/vnd.github.v3+json",
          "content-type": reqheaders["content-type"] ?? "application/json",
          authorization: `token ${github.token}`,
        },
        ...(body === "" ? {} : { body: isText ? body : JSON.stringify(body) }),
      },
    );
    const text = await answer.text();
    const json = text === "" ? "" : JSON.parse(text);
    learn(path, json, response);
    return { status: answer.status, json };
  };
}
