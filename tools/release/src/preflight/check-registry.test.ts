import { expect, test } from "vitest";
import type { Manifest } from "../pack/manifest.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import type { PublishedPackage } from "../targets/target.ts";
import { checkRegistry } from "./check-registry.ts";

const integrity = `sha512-${"A".repeat(86)}==`;
const other = `sha512-${"B".repeat(86)}==`;
const version = "1.1.0";

function plan(to = version, tag = "latest"): ReleasePlan {
  const pkg = { name: "a", dir: "a", from: to, to, tag, changesets: [], dependsOn: [], platforms: [] };
  const packages = [{ ...pkg, reason: "current" as const, registry: { state: "absent" as const } }];
  return { version: 1, commit: "0".repeat(40), dirty: false, target: "npm", packages };
}

const manifest: Manifest = {
  version: 1,
  commit: "0".repeat(40),
  dirty: false,
  packages: [
    {
      name: "a",
      version,
      tag: "latest",
      filename: "a.tgz",
      integrity,
      sha256: "a".repeat(64),
      packedBytes: 1,
      unpackedBytes: 1,
      files: [],
      dependsOn: [],
      platforms: [],
    },
  ],
};

/** What a registry has, most often nothing but an older version. */
function published(there: Partial<PublishedPackage> = {}): PublishedPackage {
  return { distTags: { latest: "1.0.0" }, versions: {}, unpublished: [], ...there };
}

const at = (bytes: string) => ({ [version]: { integrity: bytes, tarballUrl: "t" } });

function check(
  there: PublishedPackage | undefined,
  { planned = plan(), identityOnly = false }: { planned?: ReleasePlan; identityOnly?: boolean } = {},
): string[] {
  const facts = { plan: planned, manifest, packages: new Map([["a", there]]), identityOnly };
  return checkRegistry(facts).map(({ code, message }) => `${code}: ${message}`);
}

test.each([
  ["a version that is higher than the last one", published()],
  ["a new name, published with a token", undefined],
  [
    "the same bytes, with the dist-tag",
    published({ versions: at(integrity), distTags: { latest: version } }),
  ],
])("%s: nothing in the way", (_, there) => expect(check(there)).toEqual([]));

test("a new name and nobody with a token", () => {
  expect(check(undefined, { identityOnly: true })).toEqual([
    expect.stringMatching(/^CODEX_JS_RELEASE_NAME_NEW: the registry does not know this name/),
  ]);
});

test("a pre-release as the first version of a name", () => {
  expect(check(undefined, { planned: plan("1.0.0-next.0", "next") })).toEqual([
    expect.stringMatching(/^CODEX_JS_RELEASE_PRERELEASE_AS_LATEST: .*1\.0\.0-next\.0 is a pre-release/),
  ]);
});

test("other bytes, and a dist-tag that is elsewhere", () => {
  expect(check(published({ versions: at(other), distTags: { latest: "2.0.0" } }))).toEqual([
    `CODEX_JS_RELEASE_VERSION_CONFLICT: a@1.1.0: registry has ${other}, built here ${integrity}`,
    "CODEX_JS_RELEASE_DIST_TAG_MOVED: 1.1.0 is published and does not have the dist-tag `latest`: it is 2.0.0's",
  ]);
});

test("a dist-tag that was moved back by hand", () => {
  expect(check(published({ versions: at(integrity) }))).toEqual([
    "CODEX_JS_RELEASE_DIST_TAG_MOVED: 1.1.0 is published and does not have the dist-tag `latest`: it is 1.0.0's",
  ]);
});

test("a version below the one that has the dist-tag", () => {
  expect(check(published({ distTags: { latest: "2.0.0" } }))).toEqual([
    "CODEX_JS_RELEASE_DIST_TAG_MOVED: publishing 1.1.0 would move the dist-tag `latest` back: it is 2.0.0's",
  ]);
});

test("a version that was taken away", () => {
  expect(check(published({ unpublished: [version] }))).toEqual([
    expect.stringMatching(/^CODEX_JS_RELEASE_VERSION_UNPUBLISHED: /),
  ]);
});
