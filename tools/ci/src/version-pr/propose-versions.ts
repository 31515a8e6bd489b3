import { type CliContext, findWorkspaceRoot } from "@codex-js/cli-kit";
import { openGithubProposals } from "@codex-js/release/github";
import { runGit } from "../git.ts";
import { readGithubAccess } from "../github/github-access.ts";
import { addJobSummary } from "../job-outputs.ts";
import { applyVersions, type VersionChange } from "./apply-versions.ts";

export interface ProposeOptions {
  /** The branch that the pull request goes into. */
  base: string;
  json?: boolean;
}

/**
 * Applies the pending changesets and proposes that as a pull request: one branch, made anew from HEAD each time,
 * and one pull request. The commit is made through the API, so no clone needs credentials.
 * @throws ToolError CODEX_JS_CI_NO_GITHUB, CODEX_JS_CI_TREE_DIRTY (usage), and those of GitHub
 */
export async function proposeVersions(context: CliContext, { base, json }: ProposeOptions): Promise<void> {
  const root = findWorkspaceRoot(context.cwd);
  const github = openGithubProposals(readGithubAccess(context));
  const [commit = "", tree = ""] = (await runGit(context, root, ["rev-parse", "HEAD", "HEAD^{tree}"])).split(
    "\n",
  );
  const { changes, files } = await applyVersions(context, root);
  if (changes.length === 0) {
    context.stdout.write(
      json === true ? `${JSON.stringify({ version: 1, changes })}\n` : "nothing to propose\n",
    );
    return;
  }
  const branch = `changeset-release/${base}`;
  const title = nameRelease(changes);
  await github.commitToBranch({ branch, message: title, files, base: { commit, tree } });
  const { htmlUrl, change } = await github.upsertPullRequest({
    head: branch,
    base,
    title,
    body: describe(changes),
  });
  context.stdout.write(
    json === true
      ? `${JSON.stringify({ version: 1, changes, change, htmlUrl })}\n`
      : `${change}: ${htmlUrl}\n`,
  );
  await addJobSummary(context, `[${title}](${htmlUrl})`);
}

function nameRelease(changes: readonly VersionChange[]): string {
  const versions = [...new Set(changes.map(({ to }) => to))];
  return versions.length === 1 ? `Release ${versions[0]}` : "Release";
}

function describe(changes: readonly VersionChange[]): string {
  const rows = changes.map(({ name, from, to }) => `| ${name} | ${from} | ${to} |`);
  return `Merging this releases what is pending. The changelogs in the diff are the release's text; every push to the base branch makes this pull request anew.

| package | now | then |
| --- | --- | --- |
${rows.join("\n")}
`;
}
