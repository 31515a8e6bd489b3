import { type CliContext, exitCodes, pickUserEnv, runProcess, ToolError } from "@codex-js/cli-kit";

/** @throws ToolError CODEX_JS_CI_GIT_FAILED (external) */
export async function runGit(
  context: Pick<CliContext, "env" | "signal">,
  cwd: string,
  args: readonly string[],
): Promise<string> {
  try {
    const { stdout } = await runProcess("git", args, {
      cwd,
      env: pickUserEnv(context.env),
      signal: context.signal,
    });
    return stdout;
  } catch (cause) {
    context.signal.throwIfAborted();
    throw new ToolError({
      code: "CODEX_JS_CI_GIT_FAILED",
      message: `git ${args.join(" ")} failed in ${cwd}`,
      hint: "run it in a clone of the repository, with git on the PATH",
      exitCode: exitCodes.external,
      cause,
    });
  }
}
