import { exitCodes } from "@codex-js/cli-kit";
import { z } from "zod";
import { GithubError } from "./github-error.ts";
import type { GithubAsset, GithubRelease } from "./types.ts";

const asset = z.object({
  id: z.int(),
  name: z.string(),
  size: z.int(),
  state: z.string(),
  digest: z.string().nullish(),
});

const release = z.object({
  id: z.int(),
  tag_name: z.string(),
  name: z.string().nullable(),
  body: z.string().nullish(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  immutable: z.boolean().optional(),
  html_url: z.string(),
  upload_url: z.string(),
  assets: z.array(asset),
});

const gitObject = z.object({ object: z.object({ sha: z.string(), type: z.string() }) });
const repository = z.object({
  full_name: z.string(),
  permissions: z.object({ push: z.boolean(), pull: z.boolean() }).optional(),
});
const sha = z.object({ sha: z.string() });
const commit = z.object({ sha: z.string(), tree: sha, parents: z.array(sha) });
const pullRequest = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
});
const comment = z.object({ id: z.int(), body: z.string().optional(), html_url: z.string() });

/** Each reads one kind of answer. @throws GithubError `…_BAD_ANSWER` (external) */
export const parseAsset = (data: unknown): GithubAsset => toAsset(parse("an asset", asset, data));
export const parseAssets = (data: unknown) => parse("a list of assets", z.array(asset), data).map(toAsset);
export const parseRelease = (data: unknown): GithubRelease => toRelease(parse("a release", release, data));
export const parseReleases = (data: unknown) =>
  parse("a list of releases", z.array(release), data).map(toRelease);
export const parseGitObject = (data: unknown) => parse("a git object", gitObject, data).object;
export const parseRepository = (data: unknown) => parse("a repository", repository, data);
export const parseTree = (data: unknown) => parse("a tree", sha, data);
export const parseCommit = (data: unknown) => parse("a commit", commit, data);
export const parsePullRequest = (data: unknown) => parse("a pull request", pullRequest, data);
export const parsePullRequests = (data: unknown) =>
  parse("a list of pull requests", z.array(pullRequest), data);
export const parseComment = (data: unknown) => parse("a comment", comment, data);
export const parseComments = (data: unknown) => parse("a list of comments", z.array(comment), data);

function parse<Output>(what: string, schema: z.ZodType<Output>, data: unknown): Output {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GithubError({
    condition: "BAD_ANSWER",
    message: `GitHub answered something that is not ${what}: ${issue?.path.join(".") || "it"}: ${issue?.message}`,
    hint: "see that the API's URL is GitHub's and no login page of a proxy",
    exitCode: exitCodes.external,
    passing: true,
  });
}

function toAsset({ id, name, size, state, digest }: z.output<typeof asset>): GithubAsset {
  return {
    id,
    name,
    sizeBytes: size,
    sha256: /^sha256:([0-9a-f]{64})$/.exec(digest ?? "")?.[1],
    // Whatever else GitHub calls it (`open`, `starter`): it is not there in full.
    state: state === "uploaded" ? "uploaded" : "starter",
  };
}

function toRelease(data: z.output<typeof release>): GithubRelease {
  return {
    id: data.id,
    tag: data.tag_name,
    name: data.name ?? "",
    body: data.body ?? "",
    prerelease: data.prerelease,
    state: data.draft ? "draft" : "published",
    immutable: data.immutable ?? false,
    htmlUrl: data.html_url,
    uploadUrl: data.upload_url.replace(/\{[^}]*\}$/, ""),
    assets: data.assets.map(toAsset),
  };
}
