import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
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
  const file = findBinary(join(dir, "node_modules", "@pnpm"));
  if (file !== undefined) return file;
  throw new ToolError({
    code: "CODEX_JS_BENCH_NO_PNPM",
    message: `pnpm ${version} in ${dir} has no binary for this platform`,
    hint: `remove ${dir} and run it again`,
    exitCode: exitCodes.external,
  });
}

/**
 * The binary inside of its platform's package, of which npm installs one. `node_modules/pnpm/pnpm` is a
 * script that Node runs, unless install scripts were allowed to replace it.
 */
function findBinary(scope: string): string | undefined {
  const packages = existsSync(scope) ? readdirSync(scope).filter((name) => name.startsWith("exe.")) : [];
  const name = process.platform === "win32" ? "pnpm.exe" : "pnpm";
  return packages.map((folder) => join(scope, folder, name)).find((path) => existsSync(path));
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
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"],
      { cwd: temp, env: createChildEnv(context.env), signal: context.signal },
    );
    await rename(temp, dir);
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}
