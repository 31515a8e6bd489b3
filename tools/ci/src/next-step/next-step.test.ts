import { expect, test } from "vitest";
import { decideCurrent, decidePlace, decideRelease, decideVersion, type FoundRelease } from "./next-step.ts";

const pkg = { name: "@codex-js/sdk", from: "1.0.0", to: "1.0.0" };

test("pending changesets come first", () => {
  expect(decideVersion({ packages: [pkg] })).toBeUndefined();
  expect(decideVersion({ packages: [pkg, { ...pkg, name: "@codex-js/cli", to: "1.1.0" }] })).toEqual({
    action: "version",
    reason: "changesets are pending: @codex-js/cli 1.0.0 → 1.1.0",
  });
});

const states = (packages: string[], tag: string, release: string): FoundRelease => ({
  tag: "v1.0.0",
  commit: "1".repeat(40),
  packages: packages.map((state, index) => ({ name: `@codex-js/p${index}`, version: "1.0.0", state })),
  github: [
    { part: "tag", state: tag },
    { part: "release", state: release },
  ],
});

test.each<[string, FoundRelease, string, string]>([
  ["nothing is there", states(["missing", "missing"], "missing", "missing"), "release", "not complete"],
  ["half of it is there", states(["listed", "missing"], "there", "draft"), "release", "not complete"],
  // A token that only reads does not see drafts.
  ["only the draft is left", states(["listed", "listed"], "there", "missing"), "release", "not complete"],
  ["npm does not serve one yet", states(["listed", "hidden"], "there", "draft"), "release", "not complete"],
  ["all is there", states(["listed", "listed"], "there", "there"), "none", "released"],
  ["all is there, of an earlier commit", states(["listed"], "different", "there"), "none", "released"],
  ["its text was edited", states(["listed"], "different", "edited"), "none", "released"],
  [
    "it was begun on another commit",
    states(["listed", "missing"], "different", "draft"),
    "stop",
    "another commit",
  ],
  ["nothing but a tag elsewhere", states(["missing"], "different", "missing"), "stop", "another commit"],
  ["a version was taken away", states(["unpublished"], "there", "there"), "stop", "for ever"],
  [
    "versions are apart",
    { ...states(["missing"], "missing", "missing"), tag: null },
    "stop",
    "several versions",
  ],
])("%s", (_, found, action, said) => {
  expect(decideRelease(found)).toEqual({ action, reason: expect.stringContaining(said) });
});

test("the current version is complete before the next one is proposed, where there has been one", () => {
  const half = states(["listed", "missing"], "there", "draft");
  expect(decideCurrent(half)).toEqual({
    action: "stop",
    reason: expect.stringContaining("v1.0.0 is not complete"),
  });
  expect(decideCurrent(states(["listed"], "different", "there"))).toBeUndefined();
  const packages = half.packages.map((one) => ({ ...one, version: "0.0.0" }));
  expect(decideCurrent({ ...half, tag: "v0.0.0", packages })).toBeUndefined();
  expect(decideCurrent({ ...half, tag: null })).toBeUndefined();
});

test("a job elsewhere than on the main branch of the repository is stopped", () => {
  const expected = { repository: "codex-js/codex-js", ref: "refs/heads/main" };
  const place = (GITHUB_REPOSITORY: string, GITHUB_REF: string) =>
    decidePlace({ GITHUB_REPOSITORY, GITHUB_REF }, expected)?.action;
  expect(place("codex-js/codex-js", "refs/heads/main")).toBeUndefined();
  expect(decidePlace({}, expected)).toBeUndefined();
  expect(place("somebody/codex-js", "refs/heads/main")).toBe("stop");
  expect(place("codex-js/codex-js", "refs/heads/try")).toBe("stop");
});
