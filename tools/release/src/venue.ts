import { join } from "node:path";
import { type CliContext, exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import { listPublicPackages } from "@codex-js/pack";
import { type GithubReleases, openGithubRelease } from "./github/index.ts";
import type { ReleaseLayout } from "./layout.ts";
import { limitFetch } from "./limited-fetch.ts";
import { type NpmAccess, resolveNpmAccess } from "./npm/npm-access.ts";
import type { NpmOptions } from "./options.ts";
import { readRepositoryName } from "./repository.ts";
import { createRegistryTarget } from "./targets/registry-target.ts";
import type { ReleaseTarget } from "./targets/target.ts";

/** Where a release takes place: what all of its steps that go out of the process see. */
export interface Venue {
  target: ReleaseTarget;
  /** Absolute; caches of the smokes. */
  cacheDir: string;
  /** Where what the packages depend on comes from, for people. */
  uplink: string;
  /** What that did not deliver, newest last; empty when all went well. */
  readUplinkFailures(): string[];
  /** How long published packages may take to become visible. */
  visibilityTimeoutMs: number;
}

/** The real thing. */
export interface NpmVenue extends Venue {
  access: NpmAccess;
  /** Ends what hangs. */
  fetch: CliContext["fetch"];
  /** @throws ToolError CODEX_JS_RELEASE_GITHUB_NO_TOKEN, CODEX_JS_RELEASE_REPOSITORY_FIELD (usage) */
  openGithub(): Promise<GithubReleases>;
}

export interface NpmVenueOptions {
  context: CliContext;
  layout: ReleaseLayout;
  npm: NpmOptions;
  /** Told about waits and repeats. */
  log: (line: string) => void;
}

/** npm's own files and the smokes' caches lie in a temp folder, which goes with `use`. */
export async function withNpmVenue<Value>(
  { layout, npm, log, ...options }: NpmVenueOptions,
  use: (venue: NpmVenue) => Promise<Value>,
): Promise<Value> {
  const context = { ...options.context, fetch: limitFetch(options.context.fetch, log) };
  const names = (await listPublicPackages(layout.root)).map(({ name }) => name);
  const access = await resolveNpmAccess(context, layout.root, npm.registryUrl, names);
  const { registryUrl, npmrc, npmEnv, authorization, identity } = access;
  return withTempDir("codex-js-npm", (dir) =>
    use({
      target: createRegistryTarget({
        name: "npm",
        context,
        log,
        registryUrl,
        npmrc,
        npmEnv,
        trusted: identity !== undefined,
        ...(authorization === undefined ? {} : { authorization }),
        workDir: join(dir, "npm"),
        remedy:
          'do not announce the release; deprecate that version (RELEASING.md, "Withdrawing") and release a new one',
      }),
      cacheDir: join(dir, "cache"),
      uplink: registryUrl,
      readUplinkFailures: () => [],
      visibilityTimeoutMs: npm.visibilityTimeoutMs,
      access,
      fetch: context.fetch,
      openGithub: () => openGithub(context, layout.root, npm.githubApiUrl, log),
    }),
  );
}

async function openGithub(
  context: CliContext,
  root: string,
  apiUrl: string,
  log: (line: string) => void,
): Promise<GithubReleases> {
  const repository = await readRepositoryName(root);
  const token = [context.env.GITHUB_TOKEN, context.env.GH_TOKEN].find(
    (one) => one !== undefined && one !== "",
  );
  if (token !== undefined) return openGithubRelease({ apiUrl, token, repository, context, log });
  throw new ToolError({
    code: "CODEX_JS_RELEASE_GITHUB_NO_TOKEN",
    message: `neither GITHUB_TOKEN nor GH_TOKEN is set, and the release of ${repository.owner}/${repository.name} is made with one`,
    hint: "GITHUB_TOKEN=$(gh auth token) pnpm release, or give the workflow's job `contents: write`",
    exitCode: exitCodes.usage,
  });
}
