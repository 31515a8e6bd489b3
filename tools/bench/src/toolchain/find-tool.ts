import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

const require = createRequire(import.meta.url);

/** A file of a package of this workspace. @throws ToolError CODEX_JS_BENCH_NO_TOOL (usage) */
export function findToolFile(packageName: string, path: string): string {
  const file = join(findToolDir(packageName), path);
  if (!existsSync(file)) throw missing(packageName, path);
  return file;
}

/** @throws ToolError CODEX_JS_BENCH_NO_TOOL (usage) */
export function findToolDir(packageName: string): string {
  // Not by its manifest: a package with `exports` need not let it be resolved.
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const dir = join(folder, packageName);
    if (existsSync(join(dir, "package.json"))) return dir;
  }
  throw missing(packageName, "package.json");
}

function missing(packageName: string, path: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_NO_TOOL",
    message: `${packageName} is not installed (${path} is missing)`,
    hint: "npx --yes pnpm install",
    exitCode: exitCodes.usage,
  });
}
