import type { ChangelogFunctions } from "@changesets/types";
import { readRepositoryLink } from "./repository-link.ts";

/**
 * How `changeset version` writes a changelog: each change with the pull request that brought it, as git knows
 * it. It asks nobody else, so it works without a token and without a network. Named by .changeset/config.json.
 */
const changelog: ChangelogFunctions = {
  async getReleaseLine({ summary, commit }) {
    const [first = "", ...rest] = summary.split("\n").map((line) => line.trimEnd());
    const lines = [`- ${await describeOrigin(commit)}${first}`, ...rest.map((line) => `  ${line}`)];
    return lines.map((line) => line.trimEnd()).join("\n");
  },
  async getDependencyReleaseLine(_, dependenciesUpdated) {
    if (dependenciesUpdated.length === 0) return "";
    const updated = dependenciesUpdated.map(({ name, newVersion }) => `  - ${name}@${newVersion}`);
    return ["- Updated dependencies", ...updated].join("\n");
  },
};

export default changelog;

/** A rehearsal applies versions in a copy that has no history: there is nothing to say of it. */
async function describeOrigin(commit: string | undefined): Promise<string> {
  if (commit === undefined) return "";
  // Here and not above: the copy has no dependencies installed yet.
  const { findPullRequest } = await import("./find-pull-request.ts");
  const number = await findPullRequest(process.cwd(), commit);
  if (number === undefined) return `${commit.slice(0, 7)}: `;
  const repository = await readRepositoryLink(process.cwd());
  return repository === undefined ? `#${number}: ` : `[#${number}](${repository}/pull/${number}): `;
}
