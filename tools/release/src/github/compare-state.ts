import { exitCodes } from "@codex-js/cli-kit";
import { createDiffersError, isSame } from "./asset.ts";
import { createAmbiguousError, hasText } from "./draft.ts";
import { GithubError } from "./github-error.ts";
import { createElsewhereError } from "./tag.ts";
import type {
  GithubAsset,
  GithubDifference,
  GithubRelease,
  GithubReleasePlan,
  GithubState,
} from "./types.ts";

/** Pure: what is missing, half done or in the way; empty when all is as planned. */
export function compareState(plan: GithubReleasePlan, state: GithubState): GithubDifference[] {
  return [
    ...compareTag(plan, state),
    ...compareRelease(plan, state),
    ...plan.assets.flatMap((asset) => {
      const there = state.release?.assets.find(({ name }) => name === asset.name);
      return describeAsset(asset.name, there, there !== undefined && isSame(there, asset), () =>
        createDiffersError(asset, there!),
      );
    }),
    ...(state.release?.assets ?? [])
      .filter(({ name }) => !plan.assets.some((asset) => asset.name === name))
      .map((asset) => describeUnplanned(state.release!, asset)),
  ];
}

function compareTag({ tag, commit }: GithubReleasePlan, state: GithubState): GithubDifference[] {
  if (state.tag === undefined) {
    return [{ part: "tag", name: tag, kind: "missing", message: `there is no tag ${tag}` }];
  }
  if (state.tag.commit === commit) return [];
  const error = createElsewhereError(tag, commit, state.tag.commit);
  return [{ part: "tag", name: tag, kind: "different", message: error.message, error }];
}

function compareRelease(plan: GithubReleasePlan, { release, otherDrafts }: GithubState): GithubDifference[] {
  const at = { part: "release", name: plan.tag } as const;
  if (release === undefined) return [{ ...at, kind: "missing", message: `there is no release ${plan.tag}` }];
  const isPlanned = hasText(release, plan);
  if (release.state === "published") {
    const message = `the release ${plan.tag} has another text or mark than planned, and keeps it`;
    return isPlanned ? [] : [{ ...at, kind: "edited", message }];
  }
  const foreign = otherDrafts.find((draft) => !hasText(draft, plan));
  if (foreign !== undefined) {
    const error = createAmbiguousError(plan.tag, release, foreign);
    return [{ ...at, kind: "different", message: error.message, error }];
  }
  const outdated = { ...at, kind: "outdated", message: `the draft of ${plan.tag} has another text` } as const;
  const draft = { ...at, kind: "draft", message: `the release ${plan.tag} is a draft` } as const;
  return isPlanned ? [draft] : [outdated, draft];
}

function describeAsset(
  name: string,
  there: GithubAsset | undefined,
  isAsPlanned: boolean,
  createError: () => GithubError,
): GithubDifference[] {
  const at = { part: "asset", name } as const;
  if (there === undefined) return [{ ...at, kind: "missing", message: `the asset ${name} is missing` }];
  if (there.state === "starter") {
    return [{ ...at, kind: "half-uploaded", message: `the asset ${name} was not uploaded to its end` }];
  }
  if (isAsPlanned) return [];
  const error = createError();
  return [{ ...at, kind: "different", message: error.message, error }];
}

function describeUnplanned({ tag }: GithubRelease, { name }: GithubAsset): GithubDifference {
  const error = new GithubError({
    condition: "ASSET_UNPLANNED",
    message: `the release ${tag} has an asset ${name} that is not of this release`,
    hint: `see whose it is; where it is not meant to stay: gh release delete-asset ${tag} ${name}`,
    exitCode: exitCodes.checkFailed,
  });
  return { part: "asset", name, kind: "unplanned", message: error.message, error };
}
