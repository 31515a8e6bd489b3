import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type CliContext,
  exitCodes,
  pickUserEnv,
  runProcess,
  ToolError,
  withoutScriptPath,
} from "@codex-js/cli-kit";
import type { RuntimePlan } from "./runtime-plan.ts";
import type { PackageVersion } from "./types.ts";

/** A runtime that is on disk; absolute paths. */
export interface Runtime {
  id: string;
  kind: RuntimePlan["kind"];
  executable: string;
  /** Present for Node: its package manager's entry, run by `executable`. */
  npmCli?: string;
  /** What `--version` said, without a leading `v`. */
  version: string;
  /** `npm 10.9.9`, as the package manager itself said. */
  packageManager: string;
}

export interface RuntimeStoreOptions {
  context: Pick<CliContext, "env" | "signal">;
  cacheDir: string;
}

const downloadTimeoutMs = 600_000;

/**
 * Fetches what the plan needs, unless an earlier run has, and asks the runtime for its version.
 * @throws ToolError CODEX_JS_SMOKE_WRONG_RUNTIME (check failed), CODEX_JS_PROCESS_FAILED (external)
 */
export async function provideRuntime(plan: RuntimePlan, options: RuntimeStoreOptions): Promise<Runtime> {
  const dir = join(options.cacheDir, "runtimes", nameFolder(plan.downloads));
  if (plan.downloads.length > 0 && !existsSync(dir)) await download(plan.downloads, dir, options);
  const { executable, npmCli } = plan.locate(dir);
  const ask = async (...args: string[]) => {
    const { env, signal } = options.context;
    const result = await runProcess(executable, args, {
      cwd: options.cacheDir,
      env: withoutScriptPath(pickUserEnv(env)),
      signal,
    });
    return result.stdout.trim().replace(/^v/, "");
  };
  const version = await ask("--version");
  const packageManager = npmCli === undefined ? `bun ${version}` : `npm ${await ask(npmCli, "--version")}`;
  if (version !== plan.version || packageManager !== plan.packageManager) {
    throw new ToolError({
      code: "CODEX_JS_SMOKE_WRONG_RUNTIME",
      message: `${executable} says ${version} with ${packageManager}, expected ${plan.version} with ${plan.packageManager}`,
      hint: plan.downloads.length > 0 ? `remove ${dir}` : "npx --yes pnpm install",
      exitCode: exitCodes.checkFailed,
    });
  }
  return {
    id: plan.id,
    kind: plan.kind,
    executable,
    ...(npmCli === undefined ? {} : { npmCli }),
    version,
    packageManager,
  };
}

/** Named after its content, so that another pin is another folder and never a stale one. */
function nameFolder(downloads: readonly PackageVersion[]): string {
  return downloads.map(({ name, version }) => `${name}@${version}`).join("+");
}

/** Installs into a temporary folder beside `dir` and renames: two at once are safe, half a runtime is never used. */
async function download(
  packages: readonly PackageVersion[],
  dir: string,
  { context, cacheDir }: RuntimeStoreOptions,
): Promise<void> {
  const temp = join(dirname(dir), `.tmp-${randomUUID()}`);
  try {
    await mkdir(temp, { recursive: true });
    const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
    await writeFile(join(temp, "package.json"), JSON.stringify({ private: true, dependencies }));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
    await runProcess("npm", ["install", ...flags, "--cache", join(cacheDir, "npm")], {
      cwd: temp,
      env: withoutScriptPath(pickUserEnv(context.env)),
      signal: context.signal,
      timeoutMs: downloadTimeoutMs,
    });
    await rename(temp, dir).catch((error: unknown) => {
      // Another process was faster; its folder has the same packages.
      if (!existsSync(dir)) throw error;
    });
  } finally {
    await rm(temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
