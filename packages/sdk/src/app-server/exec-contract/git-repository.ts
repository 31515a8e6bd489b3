import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The folder above `dir`, or `dir` itself, that git keeps its files in: in a `.git` folder with a HEAD,
 * or somewhere else, to which a `.git` file points.
 */
export function findGitRoot(dir: string): string | undefined {
  for (let current = realpathSync(dir); ; current = dirname(current)) {
    const git = statSync(join(current, ".git"), { throwIfNoEntry: false });
    if (git?.isFile() || (git?.isDirectory() && existsSync(join(current, ".git", "HEAD")))) return current;
    if (current === dirname(current)) return undefined;
  }
}

/** The folders by which the engine knows a project: the folder, its repository, and a worktree's main one. */
export function listProjectDirs(dir: string): string[] {
  const root = findGitRoot(dir);
  const dirs = [dir, realpathSync(dir)];
  if (root !== undefined) dirs.push(root, ...findMainRoot(root));
  return [...new Set(dirs)];
}

function findMainRoot(root: string): string[] {
  const git = join(root, ".git");
  if (!statSync(git).isFile()) return [];
  const gitDir = /^gitdir: (.*?)\s*$/m.exec(readFileSync(git, "utf8"))?.[1];
  const main = gitDir && /^(.*)[/\\]\.git[/\\]worktrees[/\\]/.exec(resolve(root, gitDir))?.[1];
  return main ? [main] : [];
}
