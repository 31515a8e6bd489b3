import { exitCodes, ToolError } from "@codex-js/cli-kit";

/**
 * Why pnpm could not install the locked dependencies.
 * @param cause of the failed child, with what it said behind its first line
 * @param registry for people
 */
export function describeInstallFailure(cause: Error, registry: string): ToolError {
  const said = cause.message.split("\n").slice(1).join("\n");
  if (isAboutLockfile(said)) {
    return new ToolError({
      code: "CODEX_JS_RELEASE_LOCKFILE_STALE",
      message: `pnpm-lock.yaml is not what the package.json files ask for\n${said}`,
      hint: "pnpm install",
      exitCode: exitCodes.usage,
      cause,
    });
  }
  return new ToolError({
    code: "CODEX_JS_RELEASE_INSTALL_FAILED",
    message: `packages from ${registry} could not be installed in the staging copy\n${said}`,
    hint: `see that ${registry} can be reached (it is what npm is configured with); then the same command works again`,
    exitCode: exitCodes.external,
    cause,
  });
}

/** ERR_PNPM_OUTDATED_LOCKFILE, ERR_PNPM_NO_LOCKFILE, ERR_PNPM_LOCKFILE_CONFIG_MISMATCH and so on. */
function isAboutLockfile(said: string): boolean {
  return /ERR_PNPM_\w*LOCKFILE/.test(said);
}
