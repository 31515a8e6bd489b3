import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pickUserEnv, runProcess } from "@codex-js/cli-kit";

const repository = { type: "git", url: "git+https://github.com/codex-js/codex-js.git" };
const manifest = (name: string, more = {}) =>
  `${JSON.stringify({ name: `@codex-js/${name}`, version: "1.0.0", repository, ...more }, null, 2)}\n`;

/** A workspace with two public packages of one version and a pending changeset, committed. */
export async function createFixtureRepository(root: string): Promise<void> {
  const files = {
    "package.json": JSON.stringify({ name: "f", private: true, repository, packageManager: "pnpm@12.21.0" }),
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    ".changeset/config.json": JSON.stringify({
      changelog: false,
      fixed: [["@codex-js/*"]],
      baseBranch: "main",
    }),
    ".changeset/steer.md": '---\n"@codex-js/sdk": minor\n---\n\nTurns can be steered.\n',
    "packages/sdk/package.json": manifest("sdk"),
    "packages/cli/package.json": manifest("cli"),
    "packages/own/package.json": manifest("own", { private: true }),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await git(root, "init", "--quiet", "--initial-branch=main", ".");
  await commitAll(root, "all");
}

/** @returns the commit */
export async function commitAll(root: string, message: string): Promise<string> {
  await git(root, "add", "--all", ".");
  const author = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
  await git(root, ...author, "commit", "--quiet", "--allow-empty", "--message", message);
  return git(root, "rev-parse", "HEAD");
}

/** What git printed. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await runProcess("git", args, { cwd, env: pickUserEnv(process.env) })).stdout.trim();
}
