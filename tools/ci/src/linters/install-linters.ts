import { type CliContext, findWorkspaceRoot } from "@codex-js/cli-kit";
import { installLinter, linters } from "./linters.ts";

/**
 * Brings the workflows' linters, for the test that runs them. One that is not to be had is no failure: its test
 * then counts as skipped.
 */
export async function installLinters(context: CliContext): Promise<void> {
  const root = findWorkspaceRoot(context.cwd);
  for (const linter of linters) {
    const fault = await installLinter(linter, { root, env: context.env, signal: context.signal });
    context.stdout.write(
      `${linter.name} ${linter.version}: ${fault === undefined ? "there" : `not to be had, ${fault}`}\n`,
    );
  }
}
