import { expect, test } from "vitest";
import { decideRelease, decideVersion, type FoundRelease } from "./next-step.ts";

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
