import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { GithubOptions } from "@codex-js/release/github";

const defaultApiUrl = "https://api.github.com";

/**
 * What a job of GitHub Actions is told about its repository, and the token that its step was given.
 * @throws ToolError CODEX_JS_CI_NO_GITHUB (usage)
 */
export function readGithubAccess(context: CliContext): GithubOptions {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: fullName = "", GITHUB_API_URL: apiUrl } = context.env;
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(fullName) ?? [];
  if (!token || owner === undefined || name === undefined) {
    throw new ToolError({
      code: "CODEX_JS_CI_NO_GITHUB",
      message: `${token ? "GITHUB_REPOSITORY" : "GITHUB_TOKEN"} is not set`,
      hint: `in a workflow: \`env: { GITHUB_TOKEN: \${{ github.token }} }\` on this step`,
      exitCode: exitCodes.usage,
    });
  }
  return {
    apiUrl: apiUrl || defaultApiUrl,
    token,
    repository: { owner, name },
    context,
    log: (line) => void context.stderr.write(`  ${line}\n`),
  };
}
