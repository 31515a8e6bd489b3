/** A package as a registry has it, all of it. */
export interface PublishedPackage {
  /** Version by dist-tag. */
  distTags: Record<string, string>;
  versions: Record<string, PublishedVersion & { deprecated?: string }>;
  /** Versions that were there once and were taken away: a registry takes none of them a second time. */
  unpublished: string[];
}

/** One version as a registry serves it. */
export interface PublishedVersion {
  /** sha512 in the form of Subresource Integrity; empty when the registry gives none. */
  integrity: string;
  tarballUrl: string;
}

export interface Upload {
  name: string;
  version: string;
  /** Absolute path of the tarball; what is published are these bytes and no others. */
  tarballFile: string;
  /** Dist-tag. */
  tag: string;
}

/**
 * Where a release goes to. Publishing asks `lookup` before and after `publish` and trusts nothing else, so
 * a target only has to say truly what is there and to hand over bytes; order, comparison, repeats and
 * verification are the same for all of them.
 */
export interface ReleaseTarget {
  /** `rehearsal` or `npm`. */
  readonly name: string;
  /** What users install from, without a slash at its end. */
  readonly registryUrl: string;
  /** What can be done about a version that the registry does not serve as it was published. */
  readonly remedy: string;
  /**
   * What the registry has under this exact version, undefined when nothing.
   * @throws ToolError CODEX_JS_RELEASE_REGISTRY_FAILED, CODEX_JS_RELEASE_REGISTRY_UNREACHABLE (external)
   */
  lookup(name: string, version: string): Promise<PublishedVersion | undefined>;
  /** Everything under the name, undefined when the registry does not know it; throws as `lookup` does. */
  readPackage(name: string): Promise<PublishedPackage | undefined>;
  /**
   * Version by dist-tag, as an install sees them; undefined for an unknown name. A registry's other views of a
   * package may lag behind.
   */
  readDistTags(name: string): Promise<Record<string, string> | undefined>;
  /** Whether the registry hands out the file; throws as `lookup` does. */
  hasTarball(tarballUrl: string): Promise<boolean>;
  /** The whole manifest as the registry holds it, undefined when the version is not there. */
  readManifest(name: string, version: string): Promise<Record<string, unknown> | undefined>;
  /** The bytes that the registry serves under the URL. */
  download(tarballUrl: string): Promise<Uint8Array>;
  /**
   * Hands the tarball over; done or not, only `lookup` knows afterwards.
   * @throws PublishError
   */
  publish(upload: Upload): Promise<void>;
}
