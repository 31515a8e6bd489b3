/** What is released, byte for byte: everything after packing works from this and the tarballs alone. */
export interface Manifest {
  version: 1;
  /** Full hash of the commit that was built, and whether uncommitted changes were with it. */
  commit: string;
  dirty: boolean;
  /** In the order of publishing. */
  packages: ManifestPackage[];
}

export interface ManifestPackage {
  name: string;
  version: string;
  /** Dist-tag. */
  tag: string;
  /** In the out dir's `tarballs`. */
  filename: string;
  /** sha512 in the form of Subresource Integrity. */
  integrity: string;
  /** Hex. */
  sha256: string;
  packedBytes: number;
  unpackedBytes: number;
  /** Sorted by path; paths as in the package, without npm's `package/`. */
  files: { path: string; sizeBytes: number }[];
  /** Packages of this manifest that stand before it. */
  dependsOn: string[];
}
