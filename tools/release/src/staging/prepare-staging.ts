import { mkdir, rm } from "node:fs/promises";
import { type CliContext, type ProgressStep, runProcess } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import { runGit } from "../git.ts";
import type { ReleaseLayout } from "../layout.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { readConfiguredRegistry } from "../targets/configured-registry.ts";
import { applyVersions } from "./apply-versions.ts";
import { copyWorkingTree } from "./copy-working-tree.ts";
import { describeInstallFailure } from "./install-failure.ts";

/**
 * Makes the staging copy anew: the working tree's files, the planned versions, the locked dependencies.
 * docs/decisions/0002-release-in-a-staging-copy.md says why it is done so.
 */
export async function prepareStaging(
  context: CliContext,
  layout: ReleaseLayout,
  plan: ReleasePlan,
  step: ProgressStep,
): Promise<void> {
  const { root, outDir, stagingDir } = layout;
  await removeStaging(layout);
  await mkdir(stagingDir, { recursive: true });
  step.update("copying the working tree");
  await copyWorkingTree(context, root, stagingDir, outDir);
  step.update("applying versions");
  await applyVersions(context, stagingDir, plan);
  await makeRepository(context, stagingDir);
  step.update("installing what the lock file says");
  await installDependencies(context, stagingDir);
}

export async function removeStaging({ stagingDir }: ReleaseLayout): Promise<void> {
  await rm(stagingDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * Makes the copy a repository of its own, without a commit. turbo hashes what git lists; without an index it
 * would hash node_modules too and find nothing in the cache, and with the clone around it, nothing at all.
 */
async function makeRepository(context: CliContext, stagingDir: string): Promise<void> {
  await runGit(context, stagingDir, ["init", "--quiet", "--template=", "."]);
  await runGit(context, stagingDir, ["add", "--all", "--force", "."]);
}

async function installDependencies(context: CliContext, stagingDir: string): Promise<void> {
  try {
    await runProcess("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], {
      cwd: stagingDir,
      env: createChildEnv(context.env),
      signal: context.signal,
    });
  } catch (cause) {
    context.signal.throwIfAborted();
    throw describeInstallFailure(cause as Error, await readConfiguredRegistry(context, stagingDir));
  }
}
