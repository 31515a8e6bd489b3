import { ToolError } from "@codex-js/cli-kit";
import type { Manifest } from "../pack/manifest.ts";
import { describeMovedTag } from "../preflight/check-registry.ts";
import type { ReleaseTarget } from "../targets/target.ts";
import { errorClasses } from "./error-classes.ts";

/**
 * Each package's version has its dist-tag. npm sets it with the publish itself; whoever moved it since, or set
 * it by hand, has to say which it shall be: under trusted publishing no release can move one.
 * @throws ToolError CODEX_JS_RELEASE_DIST_TAG_MOVED (check failed) with all of them
 */
export async function verifyDistTags(target: ReleaseTarget, manifest: Manifest): Promise<void> {
  const tags = await Promise.all(manifest.packages.map(({ name }) => target.readDistTags(name)));
  const moved = manifest.packages.flatMap(({ name, version, tag }, index) => {
    const tagged = tags[index]?.[tag];
    return tagged === version ? [] : [describeMovedTag({ name, version, tag, tagged, isPublished: true })];
  });
  if (moved.length === 0) return;
  const { code, exitCode } = errorClasses.distTagMoved;
  throw new ToolError({
    code,
    message: moved.map(({ subject, message }) => `${subject}: ${message}`).join("\n"),
    hint: moved[0]!.hint,
    exitCode,
  });
}
