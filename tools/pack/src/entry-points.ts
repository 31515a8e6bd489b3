import type { PackageManifest } from "./types.ts";

export interface EntryPoint {
  /** Where it stands, such as `exports["."].types`. */
  field: string;
  /** As written. */
  target: string;
}

/** Every path that a manifest promises to Node, TypeScript or npm's bin linking. */
export function listEntryPoints(manifest: PackageManifest): EntryPoint[] {
  return [
    ...(["main", "module", "types", "typings"] as const).flatMap((field) => collect(manifest[field], field)),
    ...collect(manifest.bin, "bin"),
    ...collect(manifest.exports, "exports"),
  ];
}

/** Strings at any depth: subpaths, conditions and lists of fallbacks nest freely; null closes a subpath. */
function collect(value: unknown, field: string): EntryPoint[] {
  if (typeof value === "string") return [{ field, target: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, nested]) =>
    collect(nested, `${field}[${JSON.stringify(key)}]`),
  );
}

/** The files that npm links as commands. */
export function listBinPaths({ bin }: PackageManifest): string[] {
  const paths = typeof bin === "string" ? [bin] : Object.values(bin ?? {});
  return paths.map(trimPath);
}

/** `./dist/x` and `/dist/x` as `dist/x`, the way a tarball names it. */
export function trimPath(path: string): string {
  return path.replace(/^\.?\//, "");
}
