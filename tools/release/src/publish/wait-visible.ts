import { setTimeout as sleep } from "node:timers/promises";
import { type CliContext, exitCodes, formatDuration, ToolError } from "@codex-js/cli-kit";
import type { ManifestPackage } from "../pack/manifest.ts";
import type { ReleaseTarget } from "../targets/target.ts";
import { describeConflicts } from "./conflicts.ts";

export interface VisibilityOptions {
  context: Pick<CliContext, "now" | "signal">;
  target: ReleaseTarget;
  /** How long to wait for all of them; default {@link defaultVisibilityTimeoutMs}. */
  timeoutMs?: number;
  /** Pauses between looks in milliseconds; the last one is repeated. */
  pollDelaysMs?: readonly number[];
  /** Called after each look that did not find everything. */
  onWaiting?: (progress: VisibilityProgress) => void;
}

export interface VisibilityProgress {
  visible: number;
  all: number;
  waitedMs: number;
  /** Names of those that became visible since the last look. */
  appeared: string[];
}

/**
 * npm takes a tarball, answers 200, and serves it when it has been looked at: after one release of the engine
 * a package appeared 115 s after the one that depends on it, another 1,413 s
 * (https://github.com/openai/codex-action/issues/158). Half an hour has room for that.
 */
export const defaultVisibilityTimeoutMs = 30 * 60_000;
const defaultPollDelaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Waits until the registry serves each package as `npm install` asks for it: the abbreviated packument lists
 * the version with the manifest's integrity, and its tarball is there. A registry that answers with errors
 * meanwhile is asked again.
 * @throws ToolError CODEX_JS_RELEASE_NOT_VISIBLE (external) after the limit, naming each package and what is
 * missing of it; CODEX_JS_RELEASE_VERSION_CONFLICT (check failed) when other bytes appear
 */
export async function waitUntilVisible(
  packages: readonly ManifestPackage[],
  options: VisibilityOptions,
): Promise<void> {
  const { context, timeoutMs = defaultVisibilityTimeoutMs, pollDelaysMs = defaultPollDelaysMs } = options;
  const startedAt = context.now().getTime();
  let waiting = [...packages];
  for (let look = 0; ; look += 1) {
    const faults = await Promise.all(waiting.map((pkg) => findFault(options.target, pkg, context)));
    const hidden = waiting.flatMap((pkg, index) =>
      faults[index] === undefined ? [] : [{ pkg, fault: faults[index] }],
    );
    if (hidden.length === 0) return;
    const waitedMs = context.now().getTime() - startedAt;
    const appeared = waiting.filter((pkg) => !hidden.some((one) => one.pkg === pkg));
    options.onWaiting?.({
      visible: packages.length - hidden.length,
      all: packages.length,
      waitedMs,
      appeared: appeared.map(({ name, version }) => `${name}@${version}`),
    });
    waiting = hidden.map(({ pkg }) => pkg);
    const leftMs = timeoutMs - waitedMs;
    // The last look is at the very end of the time, not before it.
    const delayMs = Math.min(pollDelaysMs[look] ?? pollDelaysMs.at(-1) ?? 0, leftMs);
    if (leftMs <= 0) throw describeHidden(options.target, hidden, waitedMs);
    await sleep(delayMs, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  }
}

/** Why the package cannot be installed yet; undefined when it can. */
async function findFault(
  target: ReleaseTarget,
  pkg: ManifestPackage,
  { signal }: Pick<CliContext, "signal">,
): Promise<string | undefined> {
  try {
    const found = await target.lookup(pkg.name, pkg.version);
    if (found === undefined) return "the packument does not list it";
    if (found.integrity !== pkg.integrity) {
      throw describeConflicts(target, [{ pkg, found }], "it got there while this release was running");
    }
    if (found.tarballUrl === "") return "the packument names no tarball";
    return (await target.hasTarball(found.tarballUrl)) ? undefined : `${found.tarballUrl} is not there`;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolError) || error.exitCode !== exitCodes.external) throw error;
    return error.message;
  }
}

function describeHidden(
  target: ReleaseTarget,
  hidden: readonly { pkg: ManifestPackage; fault: string }[],
  waitedMs: number,
): ToolError {
  const lines = hidden.map(({ pkg, fault }) => `  ${pkg.name}@${pkg.version}: ${fault}`);
  return new ToolError({
    code: "CODEX_JS_RELEASE_NOT_VISIBLE",
    message: `${target.registryUrl} does not serve ${hidden.length === 1 ? "a package" : `${hidden.length} packages`} after ${formatDuration(waitedMs)}; what depends on them has not been published\n${lines.join("\n")}`,
    hint: "npm has taken them and is looking at them: run the same command again later, it goes on from here (--visibility-timeout-ms waits longer)",
    exitCode: exitCodes.external,
  });
}
