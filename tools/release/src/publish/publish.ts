import { type CliContext, ToolError } from "@codex-js/cli-kit";
import type { Manifest, ManifestPackage } from "../pack/manifest.ts";
import { readPacked } from "../pack/read-packed.ts";
import type { PublishedVersion, ReleaseTarget } from "../targets/target.ts";
import { type Conflict, describeConflicts } from "./conflicts.ts";
import { planWaves } from "./plan-waves.ts";
import { publishPackage } from "./publish-package.ts";
import type { PublishOutcome, PublishReport } from "./publish-report.ts";
import { runLimited } from "./run-limited.ts";
import { verifyServed } from "./verify-served.ts";
import { type VisibilityOptions, waitUntilVisible } from "./wait-visible.ts";

export interface PublishOptions {
  context: Pick<CliContext, "now" | "signal">;
  target: ReleaseTarget;
  manifest: Manifest;
  tarballsDir: string;
  /** Called when a package is there and verified. */
  onPackage?: (outcome: PublishOutcome) => void;
  /** Pauses between attempts in milliseconds. */
  delaysMs?: readonly number[];
  /** As of {@link publishPackage}. */
  onRetry?: (line: string) => void;
  visibility?: Pick<VisibilityOptions, "timeoutMs" | "pollDelaysMs" | "onWaiting">;
}

/** Uploads at a time: a registry limits how many it takes from one address. */
const uploadsAtOnce = 4;

/**
 * Makes the registry have what the manifest says, and publishes only what it has not. Every version is
 * looked up before the first one is published; a version that is there with other bytes stops everything. A
 * package is published when all that it depends on is visible: see {@link planWaves}.
 * @throws ToolError CODEX_JS_RELEASE_TARBALL_CHANGED, CODEX_JS_RELEASE_SERVED_WRONG (check failed), those of
 * the classes of failures, CODEX_JS_RELEASE_NOT_VISIBLE (external), and what the target's reads throw
 */
export async function publishPackages(options: PublishOptions): Promise<PublishReport> {
  const { target, manifest, context } = options;
  // Nothing has touched them since the gates passed them.
  await readPacked(manifest, options.tarballsDir);
  const there = await lookUpAll(target, manifest.packages);
  const packages: PublishOutcome[] = [];
  for (const wave of planWaves(manifest.packages)) {
    context.signal.throwIfAborted();
    await publishWave(
      options,
      wave.filter(({ name }) => !there.has(name)),
    );
    await waitUntilVisible(wave, { context, target, ...options.visibility });
    for (const pkg of wave) {
      await verifyServed(target, pkg);
      const outcome = describeOutcome(pkg, there.has(pkg.name));
      packages.push(outcome);
      options.onPackage?.(outcome);
    }
  }
  const leftOut = manifest.leftOut?.map(({ name }) => name);
  return {
    version: 1,
    target: target.name,
    registryUrl: target.registryUrl,
    packages,
    ...(leftOut === undefined ? {} : { leftOut }),
  };
}

async function publishWave(options: PublishOptions, wave: readonly ManifestPackage[]): Promise<void> {
  try {
    await runLimited(wave, uploadsAtOnce, (pkg) => publishPackage(options, pkg));
  } catch (error) {
    options.context.signal.throwIfAborted();
    throw error instanceof AggregateError ? joinErrors(error.errors) : error;
  }
}

/** Several packages may fail at the same time, most often of the same thing. */
function joinErrors(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (!(first instanceof ToolError)) return first;
  const { code, hint, exitCode } = first;
  const message = errors.map((error) => (error instanceof Error ? error.message : String(error))).join("\n");
  return new ToolError({ code, message, exitCode, ...(hint === undefined ? {} : { hint }) });
}

function describeOutcome({ name, version, integrity }: ManifestPackage, wasThere: boolean): PublishOutcome {
  return { name, version, integrity, state: wasThere ? "already-there" : "published" };
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
