import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { Manifest, ManifestPackage } from "../pack/manifest.ts";
import { readPacked } from "../pack/read-packed.ts";
import { PublishError } from "../targets/publish-error.ts";
import { retryDelaysMs } from "../targets/registry-client.ts";
import { describeRegistry } from "../targets/rehearsal.ts";
import type { PublishedVersion, ReleaseTarget } from "../targets/target.ts";
import type { PublishOutcome, PublishReport } from "./publish-report.ts";
import { verifyServed } from "./verify-served.ts";

export interface PublishOptions {
  context: Pick<CliContext, "signal">;
  target: ReleaseTarget;
  manifest: Manifest;
  tarballsDir: string;
  /** Called when a package is there and verified. */
  onPackage?: (outcome: PublishOutcome) => void;
  /** Pauses between attempts in milliseconds. */
  delaysMs?: readonly number[];
}

/**
 * Makes the registry have what the manifest says, and publishes only what it has not. Every version is
 * looked up before the first one is published; a version that is there with other bytes stops everything.
 * @throws ToolError CODEX_JS_RELEASE_VERSION_CONFLICT (check failed), CODEX_JS_RELEASE_TARBALL_CHANGED
 * (check failed), CODEX_JS_RELEASE_SERVED_WRONG (check failed), PublishError (external) and what the
 * target's reads throw
 */
export async function publishPackages(options: PublishOptions): Promise<PublishReport> {
  const { target, manifest, context } = options;
  // Nothing has touched them since the gates passed them.
  await readPacked(manifest, options.tarballsDir);
  const there = await lookUpAll(target, manifest.packages);
  const packages: PublishOutcome[] = [];
  for (const pkg of manifest.packages) {
    context.signal.throwIfAborted();
    const isThere = there.has(pkg.name);
    if (!isThere) await publishPackage(options, pkg);
    await verifyServed(target, pkg);
    const { name, version, integrity } = pkg;
    const outcome: PublishOutcome = {
      name,
      version,
      integrity,
      state: isThere ? "already-there" : "published",
    };
    packages.push(outcome);
    options.onPackage?.(outcome);
  }
  return { version: 1, target: target.name, registryUrl: target.registryUrl, packages };
}

/** Those that are there with the same bytes, by name. */
async function lookUpAll(
  target: ReleaseTarget,
  packages: readonly ManifestPackage[],
): Promise<Map<string, PublishedVersion>> {
  const there = new Map<string, PublishedVersion>();
  const conflicts: Conflict[] = [];
  for (const pkg of packages) {
    const found = await target.lookup(pkg.name, pkg.version);
    if (found === undefined) continue;
    if (found.integrity === pkg.integrity) there.set(pkg.name, found);
    else conflicts.push({ pkg, found });
  }
  if (conflicts.length > 0) throw describeConflicts(target, conflicts, "nothing has been published");
  return there;
}

async function publishPackage(options: PublishOptions, pkg: ManifestPackage): Promise<void> {
  const { target, tarballsDir, context, delaysMs = retryDelaysMs } = options;
  const { name, version, tag } = pkg;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await target.publish({ name, version, tag, tarballFile: join(tarballsDir, pkg.filename) });
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof PublishError)) throw error;
      // A registry may store the version and still answer with an error: what it has decides, not what it said.
      if (await isStored(target, pkg)) return;
      const delayMs = delaysMs[attempt];
      if (!error.passing || delayMs === undefined) throw error;
      await sleep(delayMs, undefined, { signal: context.signal }).catch(() =>
        context.signal.throwIfAborted(),
      );
    }
  }
}

async function isStored(target: ReleaseTarget, pkg: ManifestPackage): Promise<boolean> {
  const found = await target.lookup(pkg.name, pkg.version);
  if (found === undefined) return false;
  if (found.integrity === pkg.integrity) return true;
  throw describeConflicts(target, [{ pkg, found }], "it got there while this release was running");
}

interface Conflict {
  pkg: ManifestPackage;
  found: PublishedVersion;
}

function describeConflicts(target: ReleaseTarget, conflicts: Conflict[], consequence: string): ToolError {
  const lines = conflicts.map(
    ({ pkg, found }) =>
      `  ${pkg.name}@${pkg.version}: registry has ${found.integrity || "no integrity"}, built here ${pkg.integrity}`,
  );
  return new ToolError({
    code: "CODEX_JS_RELEASE_VERSION_CONFLICT",
    message: `${describeRegistry(target.name, target.registryUrl)} has ${conflicts.length === 1 ? "a version" : `${conflicts.length} versions`} with other bytes; ${consequence}\n${lines.join("\n")}`,
    hint: "a published version never changes: give the package a new one with `pnpm changeset`, or release from the commit that was published",
    exitCode: exitCodes.checkFailed,
  });
}
