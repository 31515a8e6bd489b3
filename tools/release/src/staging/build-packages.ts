import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { findHint, runTurbo, shortenLines, type TurboOptions } from "./run-turbo.ts";

/**
 * Builds every package in the staging copy, from the working tree's turbo cache where nothing has changed.
 * @returns how much came from the cache, in turbo's words
 * @throws ToolError CODEX_JS_RELEASE_BUILD_FAILED (external) with what the build said
 */
export async function buildPackages(options: TurboOptions): Promise<string> {
  const run = await runTurbo(["build"], options);
  if (run.ok) return run.summary;
  const said = run.failed.map((task) => `${task.package} ${task.task}:\n${shortenLines(task)}`);
  throw new ToolError({
    code: "CODEX_JS_RELEASE_BUILD_FAILED",
    message: `the build failed in the staging copy\n${said.length === 0 ? run.tail : said.join("\n")}`,
    hint: run.failed.map(findHint).find((hint) => hint !== undefined) ?? "pnpm build shows it whole",
    exitCode: exitCodes.external,
  });
}
