import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleasePlan } from "../plan/plan.ts";

/** GitHub takes no longer text than 125,000 characters. */
const maxCharacters = 120_000;

/**
 * The text of a GitHub release: what the packages' changelogs say under its version. Platform packages have
 * nothing to say that their root does not.
 */
export async function readReleaseNotes(root: string, plan: ReleasePlan): Promise<string> {
  const platforms = new Set(plan.packages.flatMap((pkg) => pkg.platforms));
  const sections: string[] = [];
  for (const { name, dir, to } of plan.packages.filter((pkg) => !platforms.has(pkg.name))) {
    const changelog = await readFile(join(root, dir, "CHANGELOG.md"), "utf8").catch(() => "");
    const section = findSection(changelog, to);
    if (section !== "") sections.push(`## ${name}\n\n${section}`);
  }
  const text = sections.length === 0 ? "No changes for users." : sections.join("\n\n");
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n\n…` : text;
}

/** What stands below `## VERSION`, up to the next heading of that level. */
export function findSection(changelog: string, version: string): string {
  const lines = changelog.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `## ${version}`);
  if (start === -1) return "";
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^##? /.test(line));
  return (end === -1 ? rest : rest.slice(0, end)).join("\n").trim();
}
