/** What can be done about an engine that refused a turn with these words on stderr. */
export function findExitHint(stderr: string, workingDirectory?: string): string | undefined {
  if (stderr.includes("Not inside a trusted directory")) {
    return "set workingDirectory to a git repository, or skipGitRepoCheck: true";
  }
  if (stderr.includes("no rollout found for thread id")) {
    return "CODEX_HOME has no thread of that id: check it and CODEX_HOME, or start a new thread";
  }
  if (stderr.includes("already has an active writer")) {
    return "close() the other client, or use Codex.shared()";
  }
  if (stderr.includes("unrecognized subcommand 'app-server'")) {
    return 'update @openai/codex, or use transport: "exec"';
  }
  if (workingDirectory !== undefined && /^Error: No such file or directory/m.test(stderr)) {
    return `workingDirectory does not exist: ${workingDirectory}`;
  }
  return undefined;
}

/** Leaves out a backtrace that names no function: release builds of the engine know none. */
export function stripBacktrace(stderr: string): string {
  return stderr.replace(/\n*Stack backtrace:\n(?:\s*\d+: <unknown>[^\n]*\n?)+/g, "\n");
}
