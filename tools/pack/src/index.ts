export { checkPackedManifest } from "./check-packed-manifest.ts";
export { findLeftOut, type LeftOut } from "./find-left-out.ts";
export { listPublicPackages } from "./list-public-packages.ts";
export { type PackOptions, packPackage } from "./pack-package.ts";
export { packTwice } from "./pack-twice.ts";
export { readTarball } from "./read-tarball.ts";
export { readEntries, type TarballEntry } from "./tarball-entries.ts";
export type { PackageManifest, PackedFile, PackedTarball, Problem, PublicPackage } from "./types.ts";
