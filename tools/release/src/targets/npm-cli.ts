import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliContext, runNode, ToolError, withDirectLoopback } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import { fetchLimits } from "../limited-fetch.ts";
import { PublishError } from "./publish-error.ts";
import type { Upload } from "./target.ts";

export interface NpmCliOptions {
  context: CliContext;
  /** Without a slash at its end. */
  registryUrl: string;
  /** Absolute; npm's configuration and cache for this release, nothing of the user's is read or written. */
  workDir: string;
  /** Text of the only npmrc that npm reads. */
  npmrc: string;
  /** As `RegistryTargetOptions.npmEnv`. */
  npmEnv?: NodeJS.ProcessEnv;
  /** As `RegistryTargetOptions.trusted`. */
  trusted?: boolean;
}

/**
 * Publishes one tarball with the npm of this repository. The npm CLI and not a PUT of our own, because it
 * owns the protocol: access, dist-tags, trusted publishing, provenance.
 * @throws PublishError
 */
export async function publishWithNpm(options: NpmCliOptions, upload: Upload): Promise<void> {
  const { context } = options;
  await mkdir(options.workDir, { recursive: true });
  // Several are published at a time, each with files of its own.
  const workDir = await mkdtemp(join(options.workDir, "publish-"));
  const userconfig = userconfigFile(workDir);
  // It may hold a token.
  await writeFile(userconfig, options.npmrc, { mode: 0o600 });
  try {
    await runNode(npmCliFile(), publishArgs(options, upload, workDir), {
      // Not in the repository: npm would read its .npmrc.
      cwd: workDir,
      env: { ...createNpmEnv(context.env), ...options.npmEnv },
      signal: context.signal,
    });
  } catch (error) {
    if (error instanceof ToolError && error.code === "CODEX_JS_PROCESS_FAILED") {
      throw new PublishError(upload, error);
    }
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function publishArgs(options: NpmCliOptions, upload: Upload, workDir: string): string[] {
  return [
    "publish",
    upload.tarballFile,
    `--registry=${options.registryUrl}/`,
    `--tag=${upload.tag}`,
    "--access=public",
    // With the CI's identity npm decides by itself: it signs for public repositories, and only when not told.
    ...(options.trusted === true ? [] : ["--provenance=false"]),
    "--ignore-scripts",
    `--userconfig=${userconfigFile(workDir)}`,
    // A file that is not there: the machine's global npmrc might name registries for our scope.
    `--globalconfig=${join(workDir, "no-global-npmrc")}`,
    `--cache=${join(workDir, "cache")}`,
    "--update-notifier=false",
    "--loglevel=error",
    // One attempt an invocation: repeats are decided by what the registry then has.
    "--fetch-retries=0",
    `--fetch-timeout=${fetchLimits.fileMs}`,
  ];
}

function userconfigFile(workDir: string): string {
  return join(workDir, "npmrc");
}

/** What npm is told is on its command line; the registry of a rehearsal is on loopback. */
function createNpmEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(createChildEnv(env)).filter(([name]) => !/^p?npm_config_/i.test(name));
  return withDirectLoopback(Object.fromEntries(entries));
}

function npmCliFile(): string {
  return fileURLToPath(new URL("bin/npm-cli.js", import.meta.resolve("npm/package.json")));
}
