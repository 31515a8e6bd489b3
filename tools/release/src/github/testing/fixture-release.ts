import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempDir } from "@codex-js/cli-kit";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "@codex-js/testkit/fake-github";
import { onTestFinished } from "vitest";
import {
  type GithubOptions,
  type GithubReleasePlan,
  type GithubReleases,
  openGithubRelease,
} from "../index.ts";

export const commit = "1".repeat(40);
export const otherCommit = "2".repeat(40);

/** A fake that ends with the test, and fails it when anything was not as GitHub describes it. */
export async function startForTest(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const github = await startFakeGithub(options);
  onTestFinished(() => github.close());
  return github;
}

/** A client that hardly waits; `log` collects what it says. */
export function open(
  github: FakeGithub,
  options: Partial<GithubOptions> = {},
): GithubReleases & { log: string[] } {
  const log: string[] = [];
  const releases = openGithubRelease({
    apiUrl: github.apiUrl,
    token: github.token,
    repository: github.repository,
    context: { fetch, signal: new AbortController().signal },
    delaysMs: [1, 1, 1, 1],
    log: (line) => log.push(line),
    ...options,
  });
  return { ...releases, log };
}

/** A release with two files, in a folder that goes with the test. */
export async function planForTest(changes: Partial<GithubReleasePlan> = {}): Promise<GithubReleasePlan> {
  const dir = await createTempDir("codex-js-github-test");
  onTestFinished(() => dir.remove());
  const files = { "sdk-1.0.0.tgz": "the sdk", "@codex-js+cli-1.0.0.tgz": "the launcher" };
  const assets = Object.entries(files).map(async ([name, text]) => {
    const path = join(dir.path, name);
    await writeFile(path, text);
    return { name, path, sizeBytes: text.length, sha256: createHash("sha256").update(text).digest("hex") };
  });
  return {
    tag: "v1.0.0",
    commit,
    name: "1.0.0",
    body: "First of all (#1)",
    prerelease: false,
    assets: await Promise.all(assets),
    ...changes,
  };
}

/** All calls of a release in their order; what each of them had to do. */
export async function releaseAll(releases: GithubReleases, plan: GithubReleasePlan): Promise<string[]> {
  const tag = await releases.ensureTag(plan.tag, plan.commit);
  const draft = await releases.ensureDraft(plan);
  const changes = [tag.change, draft.change];
  for (const asset of plan.assets) {
    const { change } = await releases.ensureAsset({ ...asset, release: draft.release });
    changes.push(change);
  }
  const published = await releases.publishRelease(draft.release);
  return [...changes, published.change];
}

/** What the fake shows when the plan is carried out. */
export function snapshotOf(plan: GithubReleasePlan) {
  return {
    tags: { [plan.tag]: plan.commit },
    latest: plan.prerelease ? null : plan.tag,
    comments: {},
    releases: [
      {
        tag: plan.tag,
        name: plan.name,
        body: plan.body,
        state: "published",
        prerelease: plan.prerelease,
        assets: plan.assets
          .map(({ name, sizeBytes, sha256 }) => ({ name, state: "uploaded", sizeBytes, sha256 }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      },
    ],
  };
}
