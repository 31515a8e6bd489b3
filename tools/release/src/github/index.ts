export { type GithubCondition, GithubError } from "./github-error.ts";
export type * from "./types.ts";

import type {
  GithubDifference,
  GithubOptions,
  GithubReleasePlan,
  GithubReleases,
  GithubState,
} from "./types.ts";

/** @throws GithubError `…_BAD_URL` (usage) */
export declare function openGithubRelease(options: GithubOptions): GithubReleases;

/** Pure: what is missing, half done or in the way; empty when all is as planned. */
export declare function compareState(plan: GithubReleasePlan, state: GithubState): GithubDifference[];

/** The name under which GitHub keeps a file: `@codex-js/sdk-1.0.0.tgz` → `codex-js-sdk-1.0.0.tgz`. */
export declare function toAssetName(name: string): string;
