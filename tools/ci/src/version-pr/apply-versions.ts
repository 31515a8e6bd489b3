import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getReleasePlan } from "@changesets/get-release-plan";
import { type CliContext, exitCodes, pickUserEnv, runNode, ToolError } from "@codex-js/cli-kit";
import { listPublicPackages } from "@codex-js/pack";
import type { CommitFile } from "@codex-js/release/github";
import { runGit } from "../git.ts";

export interface VersionChange {
  name: string;
  from: string;
  to: string;
}

/** What `changeset version` has made of the working tree. */
export interface AppliedVersions {
  changes: VersionChange[];
  files: CommitFile[];
}

/**
 * Runs `changeset version` in the working tree, and leaves there what it has written.
 * @throws ToolError CODEX_JS_CI_TREE_DIRTY (usage): whatever is changed would go into the pull request
 */
export async function applyVersions(context: CliContext, root: string): Promise<AppliedVersions> {
  await requireCleanTree(context, root);
  // To changesets itself, nothing to do is an error.
  if ((await getReleasePlan(root)).releases.length === 0) return { changes: [], files: [] };
  const before = await readVersions(root);
  await runNode(
    fileURLToPath(new URL("bin.js", import.meta.resolve("@changesets/cli/package.json"))),
    ["version"],
    {
      cwd: root,
      env: pickUserEnv(context.env),
      signal: context.signal,
    },
  );
  const after = await readVersions(root);
  const changes = [...after].flatMap(([name, to]) => {
    const from = before.get(name) ?? to;
    return from === to ? [] : [{ name, from, to }];
  });
  return { changes, files: await readChangedFiles(context, root) };
}

async function requireCleanTree(context: CliContext, root: string): Promise<void> {
  const changed = (await listChanges(context, root)).map(({ path }) => path);
  if (changed.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_CI_TREE_DIRTY",
    message: `the working tree differs from its commit: ${changed.slice(0, 5).join(", ")}`,
    hint: "commit it or remove it (git status)",
    exitCode: exitCodes.usage,
  });
}

async function readVersions(root: string): Promise<Map<string, string>> {
  return new Map((await listPublicPackages(root)).map(({ name, version }) => [name, version]));
}

async function readChangedFiles(context: CliContext, root: string): Promise<CommitFile[]> {
  const changes = await listChanges(context, root);
  return Promise.all(
    changes.map(async ({ path, deleted }): Promise<CommitFile> => {
      if (deleted) return { path, text: undefined };
      const file = join(root, path);
      const executable = ((await stat(file)).mode & 0o100) !== 0;
      return { path, text: await readFile(file, "utf8"), ...(executable ? { executable } : {}) };
    }),
  );
}

/** Paths as git has them: from the root, `/` between folders. Nothing is staged, so nothing is a rename. */
async function listChanges(context: CliContext, root: string): Promise<{ path: string; deleted: boolean }[]> {
  const output = await runGit(context, root, [
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--no-renames",
  ]);
  return output
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => ({ path: line.slice(3), deleted: line.slice(0, 2).includes("D") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
