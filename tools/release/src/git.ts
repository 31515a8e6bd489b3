import { type CliContext, exitCodes, runProcess, ToolError } from "@codex-js/cli-kit";
import { createChildEnv } from "./child-env.ts";

/** Runs git without its habit of refreshing the index: reading leaves the repository as it was. */
export async function runGit(context: CliContext, cwd: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await runProcess("git", args, {
      cwd,
      env: createChildEnv(context.env, { GIT_OPTIONAL_LOCKS: "0" }),
      signal: context.signal,
    });
    return stdout;
  } catch (cause) {
    context.signal.throwIfAborted();
    throw new ToolError({
      code: "CODEX_JS_RELEASE_GIT_FAILED",
      message: `git ${args.join(" ")} failed in ${cwd}`,
      hint: "a release starts from a git clone, and needs git on the PATH",
      exitCode: exitCodes.external,
      cause,
    });
  }
}

export interface SourceState {
  /** Full hash of HEAD. */
  commit: string;
  /** The working tree differs from it. */
  dirty: boolean;
}

export async function readSourceState(context: CliContext, root: string): Promise<SourceState> {
  const commit = (await runGit(context, root, ["rev-parse", "HEAD"])).trim();
  const changes = await runGit(context, root, ["status", "--porcelain", "--untracked-files=normal"]);
  return { commit, dirty: changes.trim() !== "" };
}
