import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { z } from "zod";
import type { PublishedPackage, PublishedVersion } from "./target.ts";

/** A package that was taken away as a whole has neither versions nor dist-tags. */
const packument = z.object({
  name: z.string(),
  "dist-tags": z.record(z.string(), z.string()).exactOptional(),
  versions: z.record(z.string(), z.record(z.string(), z.unknown())).exactOptional(),
  /** By version, with `created`, `modified` and, for a package that was taken away as a whole, `unpublished`. */
  time: z.record(z.string(), z.unknown()).exactOptional(),
});

/** What a registry says of a package, as far as a release reads it. */
export type Packument = z.infer<typeof packument>;

/**
 * An answer that is not about this package must never pass for "it is not there".
 * @throws ToolError CODEX_JS_RELEASE_REGISTRY_FAILED (external)
 */
export function parsePackument(url: string, name: string, bytes: Uint8Array): Packument {
  const parsed = packument.safeParse(parseRegistryJson(url, bytes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw describeNoRegistry(
      `${url} answered something that is no package: ${issue?.path.join(".") || "it"}: ${issue?.message}`,
    );
  }
  if (parsed.data.name === name) return parsed.data;
  throw describeNoRegistry(`${url} answered with the package ${parsed.data.name}`);
}

/** @throws ToolError CODEX_JS_RELEASE_REGISTRY_FAILED (external) */
export function parseRegistryJson(url: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    throw describeNoRegistry(`${url} answered something that is not JSON`, cause);
  }
}

function describeNoRegistry(message: string, cause?: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
    message,
    hint: "see that this URL is an npm registry and no login page of a proxy",
    exitCode: exitCodes.external,
    cause,
  });
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
  const { integrity, tarball } = (manifest.dist ?? {}) as { integrity?: unknown; tarball?: unknown };
  return {
    integrity: typeof integrity === "string" ? integrity : "",
    tarballUrl: typeof tarball === "string" && URL.canParse(tarball) ? tarball : "",
  };
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
