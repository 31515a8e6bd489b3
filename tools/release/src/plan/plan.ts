/** What a release would do, as data: written to plan.json, read by the steps after it. */
export interface ReleasePlan {
  version: 1;
  /** Full hash of HEAD. */
  commit: string;
  /** The working tree differs from the commit; a rehearsal may, a real release may not. */
  dirty: boolean;
  /** Where it goes, such as `rehearsal`. */
  target: string;
  /** In the order of publishing: what a package depends on stands before it. */
  packages: PlannedPackage[];
}

export interface PlannedPackage {
  name: string;
  /** Relative to the repository's root, `/` between folders. */
  dir: string;
  /** The version in the working tree. */
  from: string;
  /** The version that is released; equal to `from` without a pending changeset. */
  to: string;
  reason: ReleaseReason;
  /** Ids of the changesets that name it: their file names without `.md`. */
  changesets: string[];
  /** Dist-tag: `latest`, or the name of the pre-release. */
  tag: string;
  /** Public packages of this workspace that its users install with it. */
  dependsOn: string[];
  registry: RegistryState;
}

/**
 * `changeset`: named by one. `dependent`: bumped with another package. `current`: no pending change, the
 * version of the working tree.
 */
export type ReleaseReason = "changeset" | "dependent" | "current";

/** `there` says nothing of the bytes: those can be compared only when the package is built and packed. */
type RegistryState = { state: "absent" } | { state: "there"; integrity: string };
