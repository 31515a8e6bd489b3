import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/**
 * URL of a module that the SDK's build has written, `dist/index.js` for what is published.
 * @throws ToolError CODEX_JS_BENCH_NOT_BUILT (usage)
 */
export function findSdkModule(root: string, file: string): string {
  const path = join(root, "packages", "sdk", file);
  if (existsSync(path)) return pathToFileURL(path).href;
  throw new ToolError({
    code: "CODEX_JS_BENCH_NOT_BUILT",
    message: `the SDK as built is not at ${path}`,
    hint: "npx --yes pnpm build",
    exitCode: exitCodes.usage,
  });
}
