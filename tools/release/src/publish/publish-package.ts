import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CliContext, formatDuration, ToolError } from "@codex-js/cli-kit";
import type { ManifestPackage } from "../pack/manifest.ts";
import { PublishError } from "../targets/publish-error.ts";
import { retryDelaysMs } from "../targets/registry-client.ts";
import type { ReleaseTarget } from "../targets/target.ts";
import { describeConflicts } from "./conflicts.ts";
import { classifyFailure, type ErrorClass } from "./error-classes.ts";

export interface PublishPackageOptions {
  context: Pick<CliContext, "signal">;
  target: ReleaseTarget;
  tarballsDir: string;
  /** Pauses between attempts in milliseconds; default what the kind of failure asks for. */
  delaysMs?: readonly number[];
  /** Called before each pause, with what has happened and what comes now, in one line. */
  onRetry?: (line: string) => void;
}

/**
 * Hands one package to the registry, again where its failure is of a kind that passes. What the registry has
 * afterwards decides, not what it said.
 * @throws ToolError with the code of the failure's class
 */
export async function publishPackage(options: PublishPackageOptions, pkg: ManifestPackage): Promise<void> {
  const { target, tarballsDir, context } = options;
  const { name, version, tag } = pkg;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await target.publish({ name, version, tag, tarballFile: join(tarballsDir, pkg.filename) });
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof PublishError)) throw error;
      const kind = await classify(target, pkg, error);
      if (kind.action === "wait") return;
      const delayMs = (options.delaysMs ?? kind.delaysMs ?? retryDelaysMs)[attempt];
      if (kind.action === "stop" || delayMs === undefined) throw describeFailure(pkg, kind, error);
      options.onRetry?.(`${name}@${version}: ${kind.meaning}; again in ${formatDuration(delayMs)}`);
      await sleep(delayMs, undefined, { signal: context.signal }).catch(() =>
        context.signal.throwIfAborted(),
      );
    }
  }
}

async function classify(
  target: ReleaseTarget,
  pkg: ManifestPackage,
  { npmCode, said }: PublishError,
): Promise<ErrorClass> {
  const found = await target.lookup(pkg.name, pkg.version);
  if (found === undefined) {
    const unpublished = (await target.readPackage(pkg.name))?.unpublished.includes(pkg.version) ?? false;
    return classifyFailure({ npmCode, said, found: "absent", unpublished });
  }
  if (found.integrity !== pkg.integrity) {
    throw describeConflicts(target, [{ pkg, found }], "it got there while this release was running");
  }
  return classifyFailure({ npmCode, said, found: "same", unpublished: false });
}

function describeFailure(pkg: ManifestPackage, kind: ErrorClass, error: PublishError): ToolError {
  const npmCode = error.npmCode === "" ? "" : ` (${error.npmCode})`;
  return new ToolError({
    code: kind.code,
    message: `npm could not publish ${pkg.name}@${pkg.version}${npmCode}: ${kind.meaning}\n${error.said}`,
    hint: kind.remedy,
    exitCode: kind.exitCode,
  });
}
