import { formatTable } from "@codex-js/cli-kit";
import type { PackageStatus, ReleaseStatus } from "./status.ts";

const words: Record<PackageStatus["state"], string> = {
  there: "✓ there",
  listed: "? there, bytes not compared",
  hidden: "… taken, not served yet",
  missing: "· missing",
  different: "✗ other bytes",
  unpublished: "✗ taken away, for ever",
};

export function formatStatus(status: ReleaseStatus): string {
  const packages = formatTable(
    ["package", "version", `on ${status.registryUrl}`, "dist-tag"],
    status.packages.map((pkg) => [
      pkg.name,
      pkg.version,
      pkg.deprecated === null ? words[pkg.state] : `${words[pkg.state]}, deprecated: ${pkg.deprecated}`,
      formatTag(pkg),
    ]),
  );
  const github = formatTable(
    ["on GitHub", "name", "state"],
    status.github.map(({ part, name, state, message }) => [part, name, `${mark(state)} ${message ?? state}`]),
  );
  const tables = status.github.length === 0 ? [packages] : [packages, github];
  return `${tables.join("\n\n")}\n\n${formatVerdict(status)}\n`;
}

function formatTag({ tag, tagged, version }: PackageStatus): string {
  return tagged === version ? `✓ ${tag}` : `· ${tag} is ${tagged ?? "nobody"}'s`;
}

function mark(state: string): string {
  if (state === "there" || state === "edited") return "✓";
  if (state === "listed") return "?";
  return state === "different" || state === "unplanned" ? "✗" : "·";
}

function formatVerdict({ tag, complete, compared }: ReleaseStatus): string {
  if (tag === null) return "The packages have several versions: there is no release of them.";
  if (complete) return `${tag} is complete.`;
  const left = `${tag} is not complete; pnpm release --to npm does what is missing.`;
  return compared ? left : `${left}\nNothing has been packed of this commit here, so no bytes were compared.`;
}
