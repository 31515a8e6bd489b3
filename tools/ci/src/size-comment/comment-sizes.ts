import { type CliContext, resolveUserPath } from "@codex-js/cli-kit";
import { openGithubRelease } from "@codex-js/release/github";
import { formatMarkdown } from "@codex-js/size-gate";
import { readGithubAccess } from "../github/github-access.ts";
import { readPullRequestEvent } from "../github/pull-request-event.ts";
import { readSizeReport } from "./size-report.ts";

/**
 * Puts the size table into the one comment that the pull request has for it. A pull request from a fork has no
 * token that writes: its table is in the job's summary, where the gate has put it.
 * @throws ToolError CODEX_JS_CI_NO_GITHUB (usage), CODEX_JS_CI_BAD_SIZE_REPORT (external), and those of GitHub
 */
export async function commentSizes(context: CliContext, reportFile: string): Promise<void> {
  const report = await readSizeReport(resolveUserPath(context.cwd, "--report", reportFile));
  const pullRequest = await readPullRequestEvent(context);
  if (pullRequest === undefined || pullRequest.isFork) {
    const why = pullRequest === undefined ? "this is no pull request" : "it comes from a fork";
    context.stdout.write(`no comment: ${why}\n`);
    return;
  }
  const { htmlUrl, change } = await openGithubRelease(readGithubAccess(context)).upsertPullRequestComment({
    pullRequest: pullRequest.number,
    marker: "codex-js-size",
    body: neutralise(formatMarkdown(report)),
  });
  context.stdout.write(`${change}: ${htmlUrl}\n`);
}

/** Names of files and packages are the pull request's own: they mention nobody and hold no HTML. */
function neutralise(markdown: string): string {
  return markdown.replaceAll("<", "&lt;").replace(/(?<=^|[^\w`])@(?=\w)/g, "@\u200b");
}
