import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliContext, runNode, ToolError, withDirectLoopback } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
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
}

/**
 * Publishes one tarball with the npm of this repository. The npm CLI and not a PUT of our own, because it
 * owns the protocol: access, dist-tags, trusted publishing, provenance.
 * @throws PublishError
 */
export async function publishWithNpm(options: NpmCliOptions, upload: Upload): Promise<void> {
  const { context, workDir } = options;
  await mkdir(workDir, { recursive: true });
  const userconfig = join(workDir, "npmrc");
  // It may hold a token.
  await writeFile(userconfig, options.npmrc, { mode: 0o600 });
  try {
    await runNode(npmCliFile(), publishArgs(options, upload, userconfig), {
      // Not in the repository: npm would read its .npmrc.
      cwd: workDir,
      env: createNpmEnv(context.env),
      signal: context.signal,
    });
  } catch (error) {
    if (error instanceof ToolError && error.code === "CODEX_JS_PROCESS_FAILED") {
      throw new PublishError(upload, error);
    }
    throw error;
  }
}

function publishArgs(options: NpmCliOptions, upload: Upload, userconfig: string): string[] {
  return [
    "publish",
    upload.tarballFile,
    `--registry=${options.registryUrl}/`,
    `--tag=${upload.tag}`,
    "--access=public",
    // Provenance needs a CI's identity; a rehearsal has none.
    "--provenance=false",
    "--ignore-scripts",
    `--userconfig=${userconfig}`,
    // A file that is not there: the machine's global npmrc might name registries for our scope.
    `--globalconfig=${join(options.workDir, "no-global-npmrc")}`,
    `--cache=${join(options.workDir, "cache")}`,
    "--update-notifier=false",
    "--loglevel=error",
    // One attempt an invocation: repeats are decided by what the registry then has.
    "--fetch-retries=0",
  ];
}

/** What npm is told is on its command line; the registry of a rehearsal is on loopback. */
function createNpmEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(createChildEnv(env)).filter(([name]) => !/^p?npm_config_/i.test(name));
  return withDirectLoopback(Object.fromEntries(entries));
}

function npmCliFile(): string {
  return fileURLToPath(new URL("bin/npm-cli.js", import.meta.resolve("npm/package.json")));
}
