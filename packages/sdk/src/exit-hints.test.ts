import { expect, test } from "vitest";
import { CodexExitError } from "./errors.ts";
import { findExitHint } from "./exit-hints.ts";

test.each([
  ["Not inside a trusted directory and --skip-git-repo-check was not specified.", /skipGitRepoCheck/],
  ["Error: thread/resume: thread/resume failed: no rollout found for thread id 1 (code -32600)", /no thread/],
  ["Error: No such file or directory (os error 2)", /^workingDirectory does not exist: \/nowhere$/],
])("a hint for %s", (stderr, hint) => {
  expect(findExitHint(stderr, "/nowhere")).toMatch(hint);
});

test("no hint where nothing is known", () => {
  expect(findExitHint("Error: something else", "/nowhere")).toBeUndefined();
});

test("a backtrace without names is not in the message, one with names is", () => {
  const end = (stderr: string) => new CodexExitError({ exitCode: 1, signal: null, stderr });
  const bare = "Error: no\n\nStack backtrace:\n   0: <unknown>\n   1: <unknown>\n";
  expect(end(bare).message).toBe("Codex Exec exited with code 1: Error: no\n");
  expect(end(bare).stderr).toBe(bare);
  const named = "Error: no\n\nStack backtrace:\n   0: codex::main\n";
  expect(end(named).message).toBe(`Codex Exec exited with code 1: ${named}`);
});
