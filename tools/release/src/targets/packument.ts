import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PublishedPackage, PublishedVersion } from "./target.ts";

/** What a registry says of a package, as far as a release reads it. */
export interface Packument {
  "dist-tags"?: Record<string, string>;
  versions?: Record<string, Record<string, unknown>>;
  /** By version, with `created`, `modified` and, for a package that was taken away as a whole, `unpublished`. */
  time?: Record<string, unknown>;
}

/** @throws ToolError CODEX_JS_RELEASE_REGISTRY_FAILED (external) */
export function parsePackument(url: string, bytes: Uint8Array): Packument {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
      message: `${url} answered something that is not JSON`,
      hint: "see that this URL is an npm registry and no login page of a proxy",
      exitCode: exitCodes.external,
      cause,
    });
  }
}

export function readVersions(packument: Packument): PublishedPackage["versions"] {
  return Object.fromEntries(
    Object.entries(packument.versions ?? {}).map(([version, manifest]) => [
      version,
      { ...readDist(manifest), ...readDeprecated(manifest) },
    ]),
  );
}

export function readDist(manifest: Record<string, unknown>): PublishedVersion {
  const { integrity, tarball } = (manifest.dist ?? {}) as { integrity?: string; tarball?: string };
  return { integrity: integrity ?? "", tarballUrl: tarball ?? "" };
}

function readDeprecated({ deprecated }: Record<string, unknown>): { deprecated?: string } {
  // npm's undeprecate leaves an empty text.
  return typeof deprecated === "string" && deprecated !== "" ? { deprecated } : {};
}

export function listUnpublished({ time = {}, versions = {} }: Packument): string[] {
  const { unpublished, created: _created, modified: _modified, ...published } = time;
  const gone = (unpublished as { versions?: unknown } | undefined)?.versions;
  const names = [...Object.keys(published), ...(Array.isArray(gone) ? gone.map(String) : [])];
  return names.filter((version) => !(version in versions));
}
