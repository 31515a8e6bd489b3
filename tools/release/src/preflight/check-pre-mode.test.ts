import { expect, test } from "vitest";
import type { PlannedPackage } from "../plan/plan.ts";
import { checkPreMode, type PreState } from "./check-pre-mode.ts";

function planned(from: string, to: string, tag: string): { packages: PlannedPackage[] } {
  const pkg: PlannedPackage = {
    name: "a",
    dir: "packages/a",
    from,
    to,
    reason: "current",
    changesets: [],
    tag,
    dependsOn: [],
    platforms: [],
    registry: { state: "absent" },
  };
  return { packages: [pkg] };
}

const pre = (tag: string): PreState => ({ mode: "pre", tag });

test.each<[string, ReturnType<typeof planned>, PreState | undefined]>([
  ["a stable version", planned("1.0.0", "1.0.0", "latest"), undefined],
  ["a pre-release in pre mode", planned("1.1.0-next.0", "1.1.0-next.0", "next"), pre("next")],
])("%s is as it should be", (_, plan, state) => expect(checkPreMode(plan, state)).toEqual([]));

// https://github.com/changesets/changesets/issues/1007 and its relatives
test.each<[string, ReturnType<typeof planned>, PreState | undefined, string]>([
  [
    "pre.json deleted",
    planned("1.1.0-next.0", "1.1.0-next.0", "next"),
    undefined,
    "1.1.0-next.0 is a pre-release, but .changeset/pre.json is not there",
  ],
  [
    "pre.json deleted, the next version stable by accident",
    planned("1.1.0-next.0", "1.1.0", "latest"),
    undefined,
    "1.1.0-next.0 is a pre-release, but .changeset/pre.json is not there",
  ],
  [
    "pre mode left and not versioned",
    planned("1.1.0-next.0", "1.1.0-next.0", "next"),
    { mode: "exit", tag: "next" },
    "`pnpm changeset pre exit` has been run, and the version after it has not been applied",
  ],
  [
    "pre mode entered and not versioned",
    planned("1.0.0", "1.0.0", "latest"),
    pre("next"),
    "1.0.0 is no pre-release, but .changeset/pre.json says that pre-releases are made",
  ],
  [
    "another tag than the version's",
    planned("1.1.0-beta.0", "1.1.0-beta.0", "beta"),
    pre("next"),
    "1.1.0-beta.0 would get the dist-tag beta, and .changeset/pre.json says next",
  ],
  [
    "a pre-release called latest",
    planned("1.1.0-latest.0", "1.1.0-latest.0", "latest"),
    pre("latest"),
    "a pre-release cannot have the dist-tag latest: everybody would install it, or nobody could",
  ],
  [
    "a dist-tag that is a range",
    planned("1.1.0-x.0", "1.1.0-x.0", "x"),
    pre("x"),
    "a pre-release cannot have the dist-tag x: everybody would install it, or nobody could",
  ],
])("%s", (_, plan, state, message) => {
  expect(checkPreMode(plan, state)).toEqual([
    { code: "CODEX_JS_RELEASE_PRE_MODE", subject: "a", message, hint: expect.stringMatching(/\w/) },
  ]);
});
