import type { FaultRule } from "@codex-js/testkit/fault-plan";
import { expect, test } from "vitest";
import { open, startForTest } from "./testing/fixture-release.ts";

const comment = (body: string) => ({ pullRequest: 1, marker: "codex-js-size", body });
const text = (body: string) => `<!-- codex-js-size -->\n${body}`;

test("one comment: made, left, changed; a comment with another marker is another one", async () => {
  const github = await startForTest();
  const releases = open(github);
  const changes: string[] = [];
  for (const body of ["a", "a", "b"]) {
    changes.push((await releases.upsertPullRequestComment(comment(body))).change);
  }
  await releases.upsertPullRequestComment({ ...comment("c"), marker: "codex-js-size-2" });
  expect([changes, github.snapshot().comments]).toEqual([
    ["created", "none", "updated"],
    { 1: [text("b"), "<!-- codex-js-size-2 -->\nc"] },
  ]);
});

test.each<[string, FaultRule[]]>([
  ["stored and answered with 502", [{ match: { method: "POST", times: 1 }, fault: { storedButError: 502 } }]],
  [
    "stored, answered with 502 and seen late",
    [
      { match: { method: "POST", times: 1 }, fault: { storedButError: 502 } },
      { match: { method: "GET", path: "comments" }, fault: { invisibleForPolls: 1 } },
    ],
  ],
])("a comment that is %s stands there once in the end", async (_, faults) => {
  const github = await startForTest({ faults });
  for (const body of ["a", "b", "b"]) await open(github).upsertPullRequestComment(comment(body));
  expect(github.snapshot().comments).toEqual({ 1: [text("b")] });
});

test("a pull request that is not there", async () => {
  const github = await startForTest();
  await expect(
    open(github).upsertPullRequestComment({ ...comment("a"), pullRequest: 2 }),
  ).rejects.toMatchObject({ code: "CODEX_JS_RELEASE_GITHUB_NO_ACCESS" });
});
