import { runProcess } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";

/**
 * The number of the pull request that brought a commit: from its own subject when it was squashed, else from
 * the merge that it came in with. Undefined for a commit that was pushed directly.
 */
export async function findPullRequest(cwd: string, commit: string): Promise<string | undefined> {
  const [own = ""] = await readLog(cwd, ["-1", "--format=%s", commit]);
  const squashed = /\(#(\d+)\)$/.exec(own)?.[1];
  if (squashed !== undefined) return squashed;
  // What was pushed to the main line directly came with no merge, whatever was merged afterwards.
  const mainLine = await readLog(cwd, ["--first-parent", "--format=%H", "HEAD"]);
  if (mainLine.includes(commit)) return undefined;
  const range = ["--first-parent", "--ancestry-path", "--reverse", "--format=%s", `${commit}..HEAD`];
  const [merge = ""] = await readLog(cwd, range);
  return /^Merge pull request #(\d+)\b/.exec(merge)?.[1];
}

async function readLog(cwd: string, args: readonly string[]): Promise<string[]> {
  const env = createChildEnv(process.env, { GIT_OPTIONAL_LOCKS: "0" });
  const { stdout } = await runProcess("git", ["log", ...args], { cwd, env });
  return stdout.split("\n").filter((line) => line !== "");
}
