import { formatBytes, formatTable } from "@codex-js/cli-kit";
import type { Manifest } from "../pack/manifest.ts";
import type { PublishReport } from "../publish/publish-report.ts";
import { describeRegistry } from "../targets/rehearsal.ts";

export function formatManifest({ packages }: Manifest): string {
  const rows = packages.map((pkg) => [
    pkg.name,
    pkg.version,
    formatBytes(pkg.packedBytes),
    formatBytes(pkg.unpackedBytes),
    `${pkg.files.length}`,
    pkg.filename,
  ]);
  return `${formatTable(["package", "version", "packed", "unpacked", "files", "tarball"], rows, [2, 3, 4])}\n`;
}

export function formatPublished({ packages, target, registryUrl }: PublishReport): string {
  const rows = packages.map(({ name, version, state }) => [name, version, formatPublishState(state)]);
  return `${formatTable(["package", "version", `on ${describeRegistry(target, registryUrl)}`], rows)}\n`;
}

function formatPublishState(state: PublishReport["packages"][number]["state"]): string {
  return state === "published" ? "published" : "already there, same bytes";
}
