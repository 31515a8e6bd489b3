import type { GithubDifference } from "../github/index.ts";

/** What is really there of a release: `pnpm release status --json`. */
export interface ReleaseStatus {
  version: 1;
  registryUrl: string;
  /** Null where the packages have several versions: there is no release of them. */
  tag: string | null;
  commit: string;
  /** Everything is there, with the right bytes, and published. */
  complete: boolean;
  /** Whether there was a manifest to compare with: else nothing can be said of the bytes. */
  compared: boolean;
  /** In the order of publishing. */
  packages: PackageStatus[];
  /** In the order: tag, release, assets by name. */
  github: GithubStatus[];
}

export interface PackageStatus {
  name: string;
  version: string;
  /**
   * `there`: with the bytes of the manifest, its tarball served; `listed`: in the packument, its bytes not
   * compared; `hidden`: in the packument, its tarball not served yet; `different`: with other bytes;
   * `unpublished`: taken away, for ever.
   */
  state: "there" | "listed" | "hidden" | "missing" | "different" | "unpublished";
  /** The dist-tag that it shall have. */
  tag: string;
  /** Which version has that dist-tag; null for none. */
  tagged: string | null;
  /** What it was deprecated with; null when it was not. */
  deprecated: string | null;
}

export interface GithubStatus {
  part: GithubDifference["part"];
  name: string;
  /** `listed`: an asset whose bytes were not compared. */
  state: "there" | "listed" | GithubDifference["kind"];
  /** In one line, of what is not as it shall be. */
  message?: string;
}
