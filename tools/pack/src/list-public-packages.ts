import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { getPackages } from "@manypkg/get-packages";
import type { PackageManifest, PublicPackage } from "./types.ts";

/**
 * Every package of the workspace at `root` that is not private, sorted by name.
 * @throws ToolError CODEX_JS_PACK_WORKSPACE (usage) when the workspace or a manifest cannot be read, or a
 * public package has no version
 */
export async function listPublicPackages(root: string): Promise<PublicPackage[]> {
  const { packages } = await getPackages(root).catch((error: unknown) => {
    throw workspaceError(`cannot list the workspace's packages at ${root}`, error);
  });
  return packages
    .map(({ dir, packageJson }) => ({ dir, manifest: packageJson as unknown as PackageManifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ dir, manifest }) => toPublicPackage(dir, manifest))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toPublicPackage(dir: string, manifest: PackageManifest): PublicPackage {
  const { name, version } = manifest;
  if (typeof version !== "string" || version === "")
    throw workspaceError(`${dir}/package.json has no version`);
  return { name, version, dir, manifest };
}

function workspaceError(message: string, cause?: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_PACK_WORKSPACE",
    message,
    hint: "mend that package.json or pnpm-workspace.yaml",
    exitCode: exitCodes.usage,
    cause,
  });
}
