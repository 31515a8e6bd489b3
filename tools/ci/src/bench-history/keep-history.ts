import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type CliContext, exitCodes, resolveUserPath, ToolError } from "@codex-js/cli-kit";
import { openGithubProposals } from "@codex-js/release/github";
import { readGithubAccess } from "../github/github-access.ts";
import { addJobSummary } from "../job-outputs.ts";
import {
  compareNights,
  createNight,
  formatTrends,
  type JobDocument,
  type Night,
  nameNight,
  parseNight,
} from "./history.ts";

export interface HistoryOptions {
  input: string;
  branch: string;
  history?: string;
}

/**
 * Adds one file to the history's branch, and prints how the night compares with those before.
 * @throws ToolError CODEX_JS_CI_NO_BENCHMARKS, CODEX_JS_CI_BAD_BENCHMARK (external), CODEX_JS_CI_NO_GITHUB (usage),
 * and those of GitHub
 */
export async function keepHistory(
  context: CliContext,
  { input, branch, history }: HistoryOptions,
): Promise<void> {
  const github = openGithubProposals(readGithubAccess(context));
  const night = await readNight(resolveUserPath(context.cwd, "--input", input));
  const before =
    history === undefined ? [] : await readHistory(resolveUserPath(context.cwd, "--history", history));
  const table = formatTrends(compareNights(night, before));
  context.stdout.write(table);
  await addJobSummary(context, table);
  const path = nameNight(night);
  const { change } = await github.commitToBranch({
    branch,
    base: "branch",
    message: `Benchmarks of ${night.startedAt}`,
    files: [{ path, text: `${JSON.stringify(night, null, 1)}\n` }],
  });
  context.stderr.write(`${branch}/${path}: ${change}\n`);
}

async function readNight(dir: string): Promise<Night> {
  const files = await listJson(dir);
  if (files.length === 0) {
    throw new ToolError({
      code: "CODEX_JS_CI_NO_BENCHMARKS",
      message: `${dir} holds no benchmark's document`,
      hint: "pnpm bench SCENARIO --output FILE writes one",
      exitCode: exitCodes.external,
    });
  }
  const documents: JobDocument[] = [];
  for (const file of files)
    documents.push({ job: basename(dirname(file)), text: await readFile(file, "utf8") });
  return explain(dir, () => createNight(documents));
}

async function readHistory(dir: string): Promise<Night[]> {
  const nights: Night[] = [];
  for (const file of await listJson(dir)) {
    const text = await readFile(file, "utf8");
    nights.push(explain(file, () => parseNight(text)));
  }
  return nights;
}

/** Sorted; empty where there is no such folder. */
async function listJson(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(dir.length).split(/[\\/]/).includes(".git"))
    .sort();
}

function explain<Value>(where: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_BAD_BENCHMARK",
      message: `${where} holds something that is no benchmark's document of version 1`,
      hint: "pass what pnpm bench has written with --output",
      exitCode: exitCodes.external,
      cause,
    });
  }
}
