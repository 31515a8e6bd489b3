export { toAssetName } from "./asset-name.ts";
export { compareState } from "./compare-state.ts";
export { openGithubRelease } from "./open-github-release.ts";
export type * from "./types.ts";
