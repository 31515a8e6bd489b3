import { z } from "zod";
import { commitHash, packageList, packageName, packageVersion } from "../document-fields.ts";

/**
 * `changeset`: named by one. `dependent`: bumped with another package. `current`: no pending change, the
 * version of the working tree.
 */
const releaseReason = z.enum(["changeset", "dependent", "current"]);
export type ReleaseReason = z.infer<typeof releaseReason>;

const plannedPackage = z.object({
  name: packageName,
  /** Relative to the repository's root, `/` between folders. */
  dir: z.string(),
  /** The version in the working tree. */
  from: packageVersion,
  /** The version that is released; equal to `from` without a pending changeset. */
  to: packageVersion,
  reason: releaseReason,
  /** Ids of the changesets that name it: their file names without `.md`. */
  changesets: z.array(z.string()),
  /** Dist-tag: `latest`, or the name of the pre-release. */
  tag: z.string().min(1),
  /** Public packages of this workspace that its users install with it. */
  dependsOn: z.array(packageName),
  /**
   * Those of them that are this package for one platform each: it lists them as optional dependencies, and
   * they say `os` and `cpu`. They are published first, and it only when all of them are visible.
   */
  platforms: z.array(packageName),
  /** `there` says nothing of the bytes: those can be compared only when the package is built and packed. */
  registry: z.discriminatedUnion("state", [
    z.object({ state: z.literal("absent") }),
    z.object({ state: z.literal("there"), integrity: z.string() }),
  ]),
});
export type PlannedPackage = z.infer<typeof plannedPackage>;

/** What a release would do, as data: written to plan.json, read by the steps after it. */
export const releasePlan = z.object({
  version: z.literal(1),
  /** Full hash of HEAD. */
  commit: commitHash,
  /** The working tree differs from the commit; a rehearsal may, a real release may not. */
  dirty: z.boolean(),
  /** Where it goes, such as `rehearsal`. */
  target: z.string().min(1),
  /** In the order of publishing: what a package depends on stands before it. */
  packages: packageList(plannedPackage),
});
export type ReleasePlan = z.infer<typeof releasePlan>;
