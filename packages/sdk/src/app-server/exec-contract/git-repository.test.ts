import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findGitRoot, listProjectDirs } from "./git-repository.ts";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "codex-js-git-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));

const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, stdio: "ignore" });

test("a repository is found from below; an empty .git folder is none", () => {
  const sub = join(dir, "repo", "a", "b");
  mkdirSync(sub, { recursive: true });
  mkdirSync(join(sub, ".git"));
  expect(findGitRoot(sub)).toBeUndefined();
  git("init", "--quiet", "repo");
  expect(findGitRoot(sub)).toBe(join(dir, "repo"));
});

test("a worktree is a repository, and belongs to its main one", () => {
  git("init", "--quiet", "main");
  git(
    "-C",
    "main",
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "x",
  );
  git("-C", "main", "worktree", "add", "--quiet", "../tree");
  expect(findGitRoot(join(dir, "tree"))).toBe(join(dir, "tree"));
  expect(listProjectDirs(join(dir, "tree"))).toEqual([join(dir, "tree"), join(dir, "main")]);
});

test("a .git file that points nowhere counts", () => {
  writeFileSync(join(dir, ".git"), "gitdir: /nowhere\n");
  expect(findGitRoot(dir)).toBe(dir);
  expect(listProjectDirs(dir)).toEqual([dir]);
});
