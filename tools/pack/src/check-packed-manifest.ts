import { checkPackedFiles } from "./check-packed-files.ts";
import { internalFields } from "./clean-manifest.ts";
import type { Finding, PackageManifest, PackedTarball, Problem } from "./types.ts";

type RootManifest = Pick<PackageManifest, "repository" | "license">;

/** Only this workspace can resolve these; a user's install fails on them. */
const localProtocol = /(?:^|@)(?:workspace|catalog|link|file|portal):/;

/**
 * Everything that a packed package.json can get wrong for its users, measured against what is really in
 * the tarball and against the repository's root manifest. Empty when all is well.
 */
export function checkPackedManifest(tarball: PackedTarball, rootManifest: RootManifest): Problem[] {
  const findings = [
    ...checkProtocols(tarball.manifest, []),
    ...checkInternalFields(tarball.manifest),
    ...checkRepository(tarball.manifest, rootManifest),
    ...checkLicense(tarball.manifest, rootManifest),
    ...checkEngines(tarball.manifest),
    ...checkPackedFiles(tarball),
  ];
  return findings.map((finding) => ({ ...finding, package: tarball.name }));
}

function checkProtocols(value: unknown, path: string[]): Finding[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, nested]) => checkProtocols(nested, [...path, key]));
  }
  if (typeof value !== "string" || !localProtocol.test(value)) return [];
  const message = `package.json: ${path.join(" > ")} is "${value}", which only this workspace can resolve`;
  return [{ code: "CODEX_JS_PACK_LOCAL_PROTOCOL", message, hint: "pack with tools/pack, not by hand" }];
}

function checkInternalFields(manifest: PackageManifest): Finding[] {
  return internalFields
    .filter((field) => field in manifest)
    .map((field) => ({
      code: "CODEX_JS_PACK_INTERNAL_FIELD",
      message: `package.json still has "${field}", which users have no need of`,
      hint: "pack with tools/pack, not by hand",
    }));
}

function checkRepository(manifest: PackageManifest, rootManifest: RootManifest): Finding[] {
  const expected = readRepository(rootManifest);
  const { url, directory } = readRepository(manifest);
  const findings: Finding[] = [];
  if (url === undefined || url !== expected.url) {
    findings.push({
      code: "CODEX_JS_PACK_REPOSITORY",
      message: `package.json: repository.url is ${show(url)}, the root's is ${show(expected.url)}`,
      hint: "the registry refuses provenance (422) when they differ; use the root's",
    });
  }
  if (directory === undefined || directory === "") {
    findings.push({
      code: "CODEX_JS_PACK_REPOSITORY",
      message: "package.json has no repository.directory",
      hint: "set it to the package's folder, relative to the repository",
    });
  }
  return findings;
}

function checkLicense(manifest: PackageManifest, rootManifest: RootManifest): Finding[] {
  if (manifest.license !== undefined && manifest.license === rootManifest.license) return [];
  const message = `package.json: license is ${show(manifest.license)}, the root's is ${show(rootManifest.license)}`;
  return [{ code: "CODEX_JS_PACK_LICENSE", message }];
}

function checkEngines(manifest: PackageManifest): Finding[] {
  if ((manifest.engines?.node ?? "") !== "") return [];
  return [{ code: "CODEX_JS_PACK_ENGINES", message: "package.json has no engines.node" }];
}

function readRepository(manifest: RootManifest): { url?: string; directory?: string } {
  const { repository } = manifest;
  return typeof repository === "string" ? { url: repository } : (repository ?? {});
}

function show(value: string | undefined): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
