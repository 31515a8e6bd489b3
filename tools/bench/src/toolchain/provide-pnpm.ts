import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitCodes, runNode, ToolError } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import type { ScenarioContext } from "../scenario.ts";
import { findToolFile } from "./find-tool.ts";

/**
 * The pnpm that package.json names, fetched once into the cache: `npx pnpm` would time npm's own look-up too.
 * @throws ToolError CODEX_JS_BENCH_NO_PNPM (external), CODEX_JS_PROCESS_FAILED (external)
 */
export async function providePnpm(context: ScenarioContext): Promise<string> {
  const version = await readPnpmVersion(context.root);
  const dir = join(context.cacheDir, `pnpm@${version}`);
  if (!existsSync(dir)) await download(version, dir, context);
  // Its own install script puts the platform's binary in the place of a stub.
  const name = process.platform === "win32" ? "pnpm.exe" : "pnpm";
  const file = join(dir, "node_modules", "pnpm", name);
  if (existsSync(file)) return file;
  throw new ToolError({
    code: "CODEX_JS_BENCH_NO_PNPM",
    message: `pnpm ${version} has no ${file}`,
    hint: `remove ${dir}`,
    exitCode: exitCodes.external,
  });
}

async function readPnpmVersion(root: string): Promise<string> {
  const { packageManager } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    packageManager: string;
  };
  return packageManager.replace(/^pnpm@/, "").replace(/\+.*$/, "");
}

async function download(version: string, dir: string, context: ScenarioContext): Promise<void> {
  const temp = join(dirname(dir), `.tmp-${randomUUID()}`);
  try {
    await mkdir(temp, { recursive: true });
    await writeFile(
      join(temp, "package.json"),
      JSON.stringify({ private: true, dependencies: { pnpm: version } }),
    );
    await runNode(
      findToolFile("npm", "bin/npm-cli.js"),
      ["install", "--no-audit", "--no-fund", "--no-update-notifier"],
      { cwd: temp, env: createChildEnv(context.env), signal: context.signal },
    );
    await rename(temp, dir);
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}
