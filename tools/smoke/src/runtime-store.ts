import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type CliContext,
  exitCodes,
  makeDir,
  pickUserEnv,
  runProcess,
  ToolError,
  withoutScriptPath,
} from "@codex-js/cli-kit";
import { createProjectEnv } from "./child-env.ts";
import { explainInstallFailure, readSaid } from "./install-failure.ts";
import { npmRetries } from "./npm-retries.ts";
import { removeFolder } from "./project.ts";
import { findRuntimeDir, type RuntimePlan } from "./runtime-plan.ts";
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
  /** Where runtimes are fetched from; default: the registry that the user's npm is configured with. */
  registryUrl?: string;
}

const downloadTimeoutMs = 600_000;

/**
 * Fetches what the plan needs, unless an earlier run has, and asks the runtime for its version. What an earlier
 * run has left is used when it answers as expected, and fetched anew otherwise.
 * @throws ToolError CODEX_JS_SMOKE_WRONG_RUNTIME (check failed), CODEX_JS_SMOKE_NO_RUNTIME_FETCHED,
 * CODEX_JS_SMOKE_DISK_FULL, CODEX_JS_SMOKE_REGISTRY_FAILED, CODEX_JS_PROCESS_FAILED (external)
 */
export async function provideRuntime(plan: RuntimePlan, options: RuntimeStoreOptions): Promise<Runtime> {
  const dir = findRuntimeDir(plan, options.cacheDir);
  if (plan.downloads.length > 0) {
    const isThere = existsSync(dir);
    if (!isThere || !(await isUsable(plan, dir, options))) {
      await download(plan.downloads, { dir, isThere }, options);
    }
  }
  const runtime = await askRuntime(plan, dir, options);
  if (isAsPlanned(runtime, plan)) return runtime;
  const { executable, version, packageManager } = runtime;
  throw new ToolError({
    code: "CODEX_JS_SMOKE_WRONG_RUNTIME",
    message: `${executable} says ${version} with ${packageManager}, expected ${plan.version} with ${plan.packageManager}`,
    hint: plan.downloads.length > 0 ? `remove ${dir}` : "npx --yes pnpm install",
    exitCode: exitCodes.checkFailed,
  });
}

async function isUsable(plan: RuntimePlan, dir: string, options: RuntimeStoreOptions): Promise<boolean> {
  const runtime = await askRuntime(plan, dir, options).catch(() => undefined);
  options.context.signal.throwIfAborted();
  return runtime !== undefined && isAsPlanned(runtime, plan);
}

function isAsPlanned(runtime: Runtime, plan: RuntimePlan): boolean {
  return runtime.version === plan.version && runtime.packageManager === plan.packageManager;
}

async function askRuntime(plan: RuntimePlan, dir: string, options: RuntimeStoreOptions): Promise<Runtime> {
  const { executable, npmCli } = plan.locate(dir);
  const { env, signal } = options.context;
  const ask = async (...args: string[]) => {
    const result = await runProcess(executable, args, {
      cwd: options.cacheDir,
      env: withoutScriptPath(createProjectEnv(env, { home: options.cacheDir })),
      signal,
    });
    return result.stdout.trim().replace(/^v/, "");
  };
  const version = await ask("--version");
  const packageManager = npmCli === undefined ? `bun ${version}` : `npm ${await ask(npmCli, "--version")}`;
  const { id, kind } = plan;
  return { id, kind, executable, ...(npmCli === undefined ? {} : { npmCli }), version, packageManager };
}

/** Installs into a temporary folder beside `dir` and renames: two at once are safe, half a runtime is never used. */
async function download(
  packages: readonly PackageVersion[],
  { dir, isThere }: { dir: string; isThere: boolean },
  options: RuntimeStoreOptions,
): Promise<void> {
  const temp = join(dirname(dir), `.tmp-${randomUUID()}`);
  try {
    await makeDir(temp);
    const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
    await writeFile(join(temp, "package.json"), JSON.stringify({ private: true, dependencies }));
    await runNpmInstall(packages, temp, options);
    if (isThere) await removeFolder(dir);
    await rename(temp, dir).catch((error: unknown) => {
      // Another process was faster; its folder has the same packages.
      if (!existsSync(dir)) throw error;
    });
  } finally {
    await removeFolder(temp);
  }
}

async function runNpmInstall(
  packages: readonly PackageVersion[],
  cwd: string,
  { context, cacheDir, registryUrl }: RuntimeStoreOptions,
): Promise<void> {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", ...npmRetries];
  const from =
    registryUrl === undefined ? [] : ["--registry", registryUrl, "--globalconfig", join(cwd, "none")];
  const user = { ...pickUserEnv(context.env), NODE_DISABLE_COMPILE_CACHE: "1" };
  // With a registry of its own it gets nothing of the user's, whose npmrc may send scopes elsewhere.
  const env = registryUrl === undefined ? user : createProjectEnv(context.env, { home: cwd });
  try {
    await runProcess("npm", ["install", ...flags, ...from, "--cache", join(cacheDir, "npm")], {
      cwd,
      env: withoutScriptPath(env),
      signal: context.signal,
      timeoutMs: downloadTimeoutMs,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    const source = registryUrl ?? "the registry that npm is configured with";
    const explained = await explainInstallFailure(error, { registryUrl: source, dirs: [cwd, cacheDir] });
    throw explained === error ? describeNotFetched(packages, source, error as Error) : explained;
  }
}

function describeNotFetched(packages: readonly PackageVersion[], source: string, cause: Error): ToolError {
  return new ToolError({
    code: "CODEX_JS_SMOKE_NO_RUNTIME_FETCHED",
    message: `${packages.map(({ name, version }) => `${name}@${version}`).join(" and ")} could not be fetched from ${source}\n${readSaid(cause.message)}`,
    hint: "see that the registry has them, or leave this runtime out with --runtime",
    exitCode: exitCodes.external,
    cause,
  });
}
