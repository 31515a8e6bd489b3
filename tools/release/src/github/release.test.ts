import type { FaultRule } from "@codex-js/testkit/fault-plan";
import { expect, test } from "vitest";
import { compareState } from "./index.ts";
import {
  commit,
  open,
  planForTest,
  releaseAll,
  snapshotOf,
  startForTest,
} from "./testing/fixture-release.ts";

const done = ["created", "created", "created", "created", "updated"];
const nothing = ["none", "none", "none", "none", "none"];
const repository = "/repos/{owner}/{repo}";
const route = {
  ref: `${repository}/git/refs`,
  tag: `${repository}/git/ref/{ref}`,
  releases: `${repository}/releases`,
  release: `${repository}/releases/{id}`,
  byTag: `${repository}/releases/tags/{tag}`,
  assets: `${repository}/releases/{id}/assets`,
};

test("a release is made once, and there is nothing to do the second time", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  expect(compareState(plan, await open(github).readState(plan)).map(({ kind }) => kind)).toEqual(
    Array(4).fill("missing"),
  );
  expect(await releaseAll(open(github), plan)).toEqual(done);
  expect(github.snapshot()).toEqual(snapshotOf(plan));
  const before = github.requests.length;
  expect(await releaseAll(open(github), plan)).toEqual(nothing);
  expect(github.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(compareState(plan, await open(github).readState(plan))).toEqual([]);
});

test("a pre-release is not the latest", async () => {
  const github = await startForTest();
  const plan = await planForTest({ tag: "@codex-js/sdk@1.0.0-beta.0", prerelease: true });
  await releaseAll(open(github), plan);
  expect(github.snapshot()).toEqual(snapshotOf(plan));
});

test("an upload's host of its own gets the files", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  await releaseAll(open(github, { uploadUrl: github.uploadUrl }), plan);
  expect(github.readAsset(plan.tag, "sdk-1.0.0.tgz")?.toString()).toBe("the sdk");
});

test.each<[string, FaultRule[]]>([
  [
    "the tag's answer is lost",
    [{ match: { method: "POST", route: route.ref, times: 1 }, fault: { cut: "answer" } }],
  ],
  [
    "the tag is made and answered with 502, and seen late",
    [
      { match: { method: "POST", route: route.ref, times: 1 }, fault: { storedButError: 502 } },
      { match: { method: "GET", route: route.tag }, fault: { staleReads: 2 } },
    ],
  ],
  [
    "the draft is made and answered with 500",
    [{ match: { method: "POST", route: route.releases, times: 1 }, fault: { storedButError: 500 } }],
  ],
  [
    "the draft is made, answered with 500 and not seen: a second one comes, and goes",
    [
      { match: { method: "POST", route: route.releases, times: 1 }, fault: { storedButError: 500 } },
      { match: { method: "GET", route: route.releases }, fault: { invisibleForPolls: 1 } },
    ],
  ],
  [
    "an upload breaks off (wasmtime#978: 502, then already_exists)",
    [{ match: { method: "POST", route: route.assets, times: 1 }, fault: { cut: { requestAfterBytes: 2 } } }],
  ],
  [
    "an upload is stored and answered with 502",
    [{ match: { method: "POST", route: route.assets, times: 1 }, fault: { storedButError: 502 } }],
  ],
  [
    "an upload is stored, answered with 502, and seen late",
    [
      { match: { method: "POST", route: route.assets, times: 1 }, fault: { storedButError: 502 } },
      { match: { method: "GET", route: route.assets }, fault: { invisibleForPolls: 3 } },
    ],
  ],
  [
    "an upload's answer breaks off",
    [{ match: { method: "POST", route: route.assets, times: 1 }, fault: { cut: { answerAfterBytes: 9 } } }],
  ],
  [
    "an upload arrives with wrong bytes",
    [{ match: { method: "POST", route: route.assets, times: 2 }, fault: { wrongBytes: true } }],
  ],
  [
    "an upload arrives with wrong bytes, and the answer to the next is lost",
    [
      { match: { method: "POST", route: route.assets, nth: 1 }, fault: { wrongBytes: true } },
      { match: { method: "POST", route: route.assets, nth: 2 }, fault: { cut: "answer" } },
    ],
  ],
  [
    "the deletion of a half-uploaded one is answered with 500",
    [
      { match: { method: "POST", route: route.assets, times: 1 }, fault: { cut: { requestAfterBytes: 2 } } },
      { match: { method: "DELETE", times: 1 }, fault: { status: 500 } },
    ],
  ],
  [
    "publishing is done and answered with 503",
    [{ match: { method: "PATCH", route: route.release, times: 1 }, fault: { storedButError: 503 } }],
  ],
  [
    "publishing is done, its answer lost, and seen late",
    [
      { match: { method: "PATCH", route: route.release, times: 1 }, fault: { cut: "answer" } },
      { match: { method: "GET", route: route.release }, fault: { staleReads: 2 } },
    ],
  ],
  [
    "every third read fails",
    [3, 6, 9, 12].map((nth) => ({ match: { method: "GET", nth }, fault: { status: 502 } })),
  ],
  ["a read is cut off", [{ match: { method: "GET", nth: 2 }, fault: { cut: { answerAfterBytes: 3 } } }]],
  [
    "a secondary rate limit",
    [
      {
        match: { method: "POST", route: route.releases, times: 1 },
        fault: {
          status: 403,
          body: { message: "You have exceeded a secondary rate limit" },
          headers: { "retry-after": "1" },
        },
      },
    ],
  ],
])("%s: the release is whole all the same", async (_, faults) => {
  const github = await startForTest({ faults });
  const plan = await planForTest();
  await releaseAll(open(github), plan);
  expect(github.snapshot()).toEqual(snapshotOf(plan));
  // Each fault has struck.
  const struck = new Set(github.requests.map(({ fault }) => fault).filter((fault) => fault !== undefined));
  expect([...struck].sort()).toEqual([...new Set(faults.map(({ fault }) => Object.keys(fault)[0]))].sort());
  github.setFaults([]);
  expect(await releaseAll(open(github), plan)).toEqual(nothing);
});

// Guards resuming: the client ends before or after any request, and a new one goes on.
test("ended at any request, before or after it was done, the next run completes it", async () => {
  const plan = await planForTest();
  const whole = await startForTest();
  await releaseAll(open(whole), plan);
  const crashPoints = whole.requests.flatMap(({ number }) => [
    { number, moment: "received" as const },
    { number, moment: "done" as const },
  ]);
  expect(crashPoints.length).toBeGreaterThan(20);
  for (const point of crashPoints) {
    let isDead = false;
    const github = await startForTest({
      onExchange: (moment, { number }) => {
        isDead ||= number === point.number && moment === point.moment;
        return isDead ? "drop" : undefined;
      },
    });
    await expect(
      releaseAll(open(github, { delaysMs: [] }), plan),
      JSON.stringify(point),
    ).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_GITHUB_UNREACHABLE",
    });
    isDead = false;
    await releaseAll(open(github), plan);
    expect(github.snapshot(), JSON.stringify(point)).toEqual(snapshotOf(plan));
  }
});

test("people's text of a published release stays, a draft's is brought up to the plan", async () => {
  const github = await startForTest();
  const plan = await planForTest();
  await open(github).ensureTag(plan.tag, commit);
  await open(github).ensureDraft({ ...plan, body: "old" });
  expect((await open(github).ensureDraft(plan)).change).toBe("updated");
  await releaseAll(open(github), plan);
  const { change, release } = await open(github).ensureDraft({ ...plan, body: "new" });
  expect([change, release.body]).toEqual(["none", plan.body]);
  const differences = compareState({ ...plan, body: "new" }, await open(github).readState(plan));
  expect(differences.map(({ part, kind }) => [part, kind])).toEqual([["release", "edited"]]);
});
