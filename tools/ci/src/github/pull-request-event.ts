import { readFile } from "node:fs/promises";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import { z } from "zod";

const repository = z.object({ full_name: z.string() });
const event = z.object({
  // Null where the fork is gone.
  pull_request: z.object({ number: z.int(), head: z.object({ repo: repository.nullable() }) }).optional(),
  repository,
});

export interface PullRequestEvent {
  number: number;
  /** It comes from another repository: its workflows have a token that only reads. */
  isFork: boolean;
}

/**
 * The pull request that the workflow runs for; undefined where it runs for something else.
 * @throws ToolError CODEX_JS_CI_BAD_EVENT (external)
 */
export async function readPullRequestEvent({
  env,
}: Pick<CliContext, "env">): Promise<PullRequestEvent | undefined> {
  if (!env.GITHUB_EVENT_PATH) return undefined;
  const { pull_request: pullRequest, repository: own } = await parseEvent(env.GITHUB_EVENT_PATH);
  if (pullRequest === undefined) return undefined;
  return { number: pullRequest.number, isFork: pullRequest.head.repo?.full_name !== own.full_name };
}

async function parseEvent(path: string): Promise<z.output<typeof event>> {
  try {
    return event.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_BAD_EVENT",
      message: `GITHUB_EVENT_PATH names ${path}, which is no event of GitHub Actions`,
      hint: "unset it to run the command outside of a workflow",
      exitCode: exitCodes.external,
      cause,
    });
  }
}
