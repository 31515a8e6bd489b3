import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, ToolError } from "@codex-js/cli-kit";
import { createMismatch, expectEqual } from "./expect.ts";
import { explainInstallFailure } from "./install-failure.ts";
import { verifyNothingLeftOut } from "./left-out.ts";
import { type LockedPackage, readBunLockfile, readNpmLockfile } from "./lockfile.ts";
import { npmRetries } from "./npm-retries.ts";
import type { Project } from "./project.ts";
import type { PublishedPackage } from "./published.ts";
import type { Runtime } from "./runtime-store.ts";

export interface InstallOptions {
  context: Pick<CliContext, "fetch" | "signal">;
  runtime: Runtime;
  project: Project;
  registryUrl: string;
  cacheDir: string;
  packages: readonly PublishedPackage[];
  /** As of SmokeOptions. */
  leftOut?: readonly string[];
}

const installTimeoutMs = 600_000;

/**
 * Installs with the runtime's own package manager, without running any package's scripts.
 * @throws ToolError CODEX_JS_SMOKE_DISK_FULL, CODEX_JS_SMOKE_REGISTRY_FAILED (external) and, of any other failure,
 * CODEX_JS_PROCESS_FAILED
 */
export async function installPackages(options: InstallOptions): Promise<void> {
  const { runtime, project } = options;
  const specs = options.packages
    .filter(({ platformBound }) => !platformBound)
    .map(({ name, version }) => `${name}@${version}`);
  const args = runtime.kind === "bun" ? createBunArgs(options) : await createNpmArgs(options);
  const install = (...flags: string[]) =>
    project.runRuntime([...args, ...flags, ...specs], { timeoutMs: installTimeoutMs });
  try {
    await install().catch((error: unknown) => {
      if (!isStaleCache(error)) throw error;
      return install("--prefer-online");
    });
  } catch (error) {
    const dirs = [project.dir, options.cacheDir];
    throw await explainInstallFailure(error, { registryUrl: options.registryUrl, dirs });
  }
}

/**
 * npm did not find a version that the registry has just shown to us: the list of versions in its cache is
 * from before the publish. Asking it to revalidate from the start would fetch the whole engine anew each time.
 */
function isStaleCache(error: unknown): boolean {
  return error instanceof ToolError && /^npm error code ETARGET$/m.test(error.message);
}

/** Compares node_modules and the lock file with what the registry promised. */
export async function verifyInstalled(options: InstallOptions): Promise<void> {
  const { runtime, project, packages, registryUrl } = options;
  const lockfile = await (runtime.kind === "bun" ? readBunLockfile : readNpmLockfile)(project.dir);
  for (const published of packages) {
    const locked = lockfile.get(published.name);
    // A platform package for other machines need not be there.
    if (locked === undefined && published.platformBound) continue;
    if (locked === undefined) throw createMismatch(`${published.name} is not in the lock file`);
    if (!published.platformBound) {
      const { version } = await project.readManifest(published.name);
      expectEqual(`the installed version of ${published.name}`, version, published.version);
    }
    verifyLocked(locked, published, registryUrl);
  }
  await verifyNothingLeftOut(options, lockfile.keys());
}

function verifyLocked(locked: LockedPackage, published: PublishedPackage, registryUrl: string): void {
  const { name, version, integrity, tarballUrl } = published;
  expectEqual(`${name} in the lock file`, [locked.version, locked.integrity], [version, integrity]);
  // Bun leaves out the URL of its default registry.
  if (locked.resolved === undefined || locked.resolved === tarballUrl) return;
  expectEqual(`the host ${name} came from`, new URL(locked.resolved).host, new URL(registryUrl).host);
}

function createBunArgs({ registryUrl, cacheDir }: InstallOptions): string[] {
  const flags = ["--exact", "--ignore-scripts", "--no-progress", "--no-summary"];
  return ["add", ...flags, "--registry", registryUrl, "--cache-dir", join(cacheDir, "bun")];
}

async function createNpmArgs({ runtime, project, registryUrl, cacheDir }: InstallOptions): Promise<string[]> {
  // Empty files of our own in the place of the user's and the machine's settings.
  const userConfig = join(project.home, ".npmrc");
  const globalConfig = join(project.home, "global.npmrc");
  await Promise.all([userConfig, globalConfig].map((file) => writeFile(file, "")));
  const flags = ["--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
  const settings = ["--userconfig", userConfig, "--globalconfig", globalConfig];
  const sources = ["--registry", registryUrl, "--cache", join(cacheDir, "npm")];
  return [runtime.npmCli!, "install", ...flags, ...npmRetries, ...settings, ...sources];
}
