import type { PackageManifest } from "./types.ts";

/** What only this repository needs; users get none of it. */
export const internalFields = [
  "scripts",
  "devDependencies",
  "devEngines",
  "packageManager",
  "workspaces",
  "pnpm",
  "private",
] as const;

/** The manifest that users get, still with pnpm's `catalog:` and `workspace:` ranges in it. */
export function cleanManifest(manifest: PackageManifest): PackageManifest {
  const entries = Object.entries(manifest).filter(([field]) => !isInternal(field));
  return Object.fromEntries(entries) as PackageManifest;
}

function isInternal(field: string): boolean {
  return (internalFields as readonly string[]).includes(field);
}
