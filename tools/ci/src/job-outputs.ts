import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type { CliContext } from "@codex-js/cli-kit";

/** What a step hands to other jobs of its workflow; nothing happens outside of GitHub Actions. */
export async function setJobOutputs(
  { env }: Pick<CliContext, "env">,
  outputs: Record<string, string>,
): Promise<void> {
  if (!env.GITHUB_OUTPUT) return;
  // A delimiter that no value can hold keeps a value from adding outputs of its own.
  const delimiter = `end-${randomUUID()}`;
  const text = Object.entries(outputs).map(
    ([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`,
  );
  await appendFile(env.GITHUB_OUTPUT, text.join(""));
}

/** Markdown for the page of the job; nothing happens outside of GitHub Actions. */
export async function addJobSummary({ env }: Pick<CliContext, "env">, markdown: string): Promise<void> {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
}
