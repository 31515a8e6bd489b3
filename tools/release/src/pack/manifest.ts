import { z } from "zod";
import {
  commitHash,
  integrity,
  packageList,
  packageName,
  packageVersion,
  sizeBytes,
} from "../document-fields.ts";

const manifestPackage = z.object({
  name: packageName,
  version: packageVersion,
  /** Dist-tag. */
  tag: z.string().min(1),
  /** In the out dir's `tarballs`, and nowhere else. */
  filename: z.string().regex(/^[^/\\]+\.tgz$/, "expected the name of a .tgz file, without a folder"),
  integrity,
  /** Hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "expected a sha256 in hex"),
  packedBytes: sizeBytes,
  unpackedBytes: sizeBytes,
  /** Sorted by path; paths as in the package, without npm's `package/`. */
  files: z.array(z.object({ path: z.string().min(1), sizeBytes })),
  /** Packages of this manifest that stand before it. */
  dependsOn: z.array(packageName),
  /** Those of them that are this package for one platform each: installed as optional dependencies. */
  platforms: z.array(packageName),
});
export type ManifestPackage = z.infer<typeof manifestPackage>;

/** What is released, byte for byte: everything after packing works from this and the tarballs alone. */
export const releaseManifest = z.object({
  version: z.literal(1),
  /** Full hash of the commit that was built, and whether uncommitted changes were with it. */
  commit: commitHash,
  dirty: z.boolean(),
  /** In the order of publishing. */
  packages: packageList(manifestPackage),
  /** Of a rehearsal: platform packages that are built on other machines, and why not here. */
  leftOut: z
    .array(z.object({ name: packageName, version: packageVersion, reason: z.string().min(1) }))
    .optional(),
});
export type Manifest = z.infer<typeof releaseManifest>;
