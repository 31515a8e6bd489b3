export { toAssetName } from "./asset-name.ts";
export { compareState } from "./compare-state.ts";
export { openGithubProposals } from "./open-github-proposals.ts";
export { openGithubRelease } from "./open-github-release.ts";
export type * from "./proposal-types.ts";
export type * from "./types.ts";
