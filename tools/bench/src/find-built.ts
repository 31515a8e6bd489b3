import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/** What is published of the SDK. */
export const sdkModule = "packages/sdk/dist/index.js";
/** The SDK's framing by itself, which is built for the benchmarks. */
export const framingModule = "packages/sdk/dist-bench/framing.js";

/**
 * Absolute path of something that a package's build has written; benchmarks measure what users get.
 * @param file absolute, or below `root`, the repository
 * @throws ToolError CODEX_JS_BENCH_NOT_BUILT (usage)
 */
export function findBuilt(root: string, file: string): string {
  const path = resolve(root, file);
  if (existsSync(path)) return path;
  throw new ToolError({
    code: "CODEX_JS_BENCH_NOT_BUILT",
    message: `nothing is at ${path}`,
    hint: "npx --yes pnpm build",
    exitCode: exitCodes.usage,
  });
}
