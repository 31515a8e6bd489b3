import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { listPublicPackages } from "@codex-js/pack";
import { withGithubPlan } from "../assets/github-plan.ts";
import { requireGated } from "../gates/require-gated.ts";
import { readSourceState, runGit } from "../git.ts";
import { compareState } from "../github/index.ts";
import type { ReleaseLayout } from "../layout.ts";
import { readPacked } from "../pack/read-packed.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { findReleaseVersion, nameTag } from "../release-unit.ts";
import { readRootManifest } from "../repository.ts";
import type { PackedRelease } from "../reuse-packed.ts";
import { readPackages } from "../targets/read-packages.ts";
import type { NpmVenue } from "../venue.ts";
import { checkNpmAccess } from "./check-access.ts";
import { checkLockFiles } from "./check-locks.ts";
import { checkBinaries, checkTargets } from "./check-platforms.ts";
import { checkPreMode, type PreState } from "./check-pre-mode.ts";
import { checkRegistry } from "./check-registry.ts";
import { checkRepositories } from "./check-repository.ts";
import { checkSource } from "./check-source.ts";
import { checkStale } from "./check-stale.ts";
import { checkV8Lock, type IsRepositoryLock } from "./check-v8-lock.ts";
import { type Finding, toFinding } from "./finding.ts";

export interface PreflightOptions {
  context: CliContext;
  layout: ReleaseLayout;
  venue: NpmVenue;
  plan: ReleasePlan;
  /** Undefined before packing; with it the bytes are compared as well, and what the gates have seen. */
  packed: PackedRelease | undefined;
  /** Default: the very bytes of the repository's lock file. */
  isRepositoryLock?: IsRepositoryLock;
}

/**
 * Looks at everything that a release could fail of, as far as it can be known, and changes nothing.
 * @returns all that it found; empty when the release may begin
 */
export async function runPreflight(options: PreflightOptions): Promise<Finding[]> {
  const checks = [
    checkOwnSource,
    checkCommit,
    checkOwnLocks,
    checkOwnPackages,
    checkAccess,
    checkPublished,
    checkGithub,
    checkPacked,
  ];
  const findings: Finding[] = [];
  for (const check of checks) {
    options.context.signal.throwIfAborted();
    findings.push(...(await check(options)));
  }
  return findings;
}

/** Documents outlive a checkout: the steps go on with them only where they are of this very commit. */
async function checkCommit({ context, layout, plan, packed }: PreflightOptions): Promise<Finding[]> {
  return checkStale({
    plan,
    manifest: packed?.manifest,
    source: await readSourceState(context, layout.root),
  });
}

async function checkOwnSource({ context, layout, plan }: PreflightOptions): Promise<Finding[]> {
  const version = findReleaseVersion(plan);
  const localTagCommit =
    version === undefined ? undefined : await readLocalTag(context, layout.root, nameTag(version));
  return [
    ...checkSource({ plan, localTagCommit }),
    ...checkPreMode(plan, await readPreState(layout.root)),
    ...(await checkTargets(layout.root, plan)),
  ];
}

/** Lists instead of asking for the one: git fails on a tag that is not there. */
async function readLocalTag(context: CliContext, root: string, tag: string): Promise<string | undefined> {
  const format = "--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)";
  const commit = (await runGit(context, root, ["for-each-ref", format, `refs/tags/${tag}`])).trim();
  return commit === "" ? undefined : commit;
}

/** Not by changesets' own reader, which rewrites a file of an earlier format. */
async function readPreState(root: string): Promise<PreState | undefined> {
  const text = await readFile(join(root, ".changeset", "pre.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as PreState);
}

async function checkOwnLocks({ context, layout, isRepositoryLock }: PreflightOptions): Promise<Finding[]> {
  const tracked = (await runGit(context, layout.root, ["ls-files", "-z"])).split("\0");
  return [
    ...checkLockFiles(tracked.filter((path) => path !== "")),
    ...(await checkV8Lock(layout.root, context, isRepositoryLock)),
  ];
}

async function checkOwnPackages({ context, layout }: PreflightOptions): Promise<Finding[]> {
  const packages = await listPublicPackages(layout.root);
  const workflow = context.env.GITHUB_REPOSITORY;
  return checkRepositories(
    packages,
    await readRootManifest(layout.root),
    workflow === "" ? undefined : workflow,
  );
}

async function checkAccess({ context, venue, plan }: PreflightOptions): Promise<Finding[]> {
  const names = plan.packages.filter(({ registry }) => registry.state === "absent").map(({ name }) => name);
  const npmVersion = (createRequire(import.meta.url)("npm/package.json") as { version: string }).version;
  try {
    return await checkNpmAccess(venue.access, names, npmVersion, {
      fetch: venue.fetch,
      signal: context.signal,
    });
  } catch (error) {
    return [toFinding(error, venue.access.registryUrl)];
  }
}

async function checkPublished({ venue, plan, packed }: PreflightOptions): Promise<Finding[]> {
  const { access, target } = venue;
  try {
    const packages = await readPackages(
      target,
      plan.packages.map(({ name }) => name),
    );
    const identityOnly = access.identity !== undefined && !access.hasCredentials;
    return checkRegistry({ plan, manifest: packed?.manifest, packages, identityOnly });
  } catch (error) {
    return [toFinding(error, target.registryUrl)];
  }
}

/** The token, and what GitHub already has for this release: its tag, a draft, files of somebody else. */
async function checkGithub({ layout, venue, plan, packed }: PreflightOptions): Promise<Finding[]> {
  const version = findReleaseVersion(plan);
  if (version === undefined) return [];
  try {
    const github = await venue.openGithub();
    await github.checkAccess();
    return await withGithubPlan(layout, plan, version, packed?.manifest, async (githubPlan) => {
      const differences = compareState(githubPlan, await github.readState(githubPlan));
      return differences.flatMap(({ part, error, name }) => {
        // Before packing nobody knows which files are planned.
        if (error === undefined || (part === "asset" && packed === undefined)) return [];
        return [toFinding(error, name)];
      });
    });
  } catch (error) {
    return [toFinding(error, "GitHub")];
  }
}

async function checkPacked({ layout, plan, packed }: PreflightOptions): Promise<Finding[]> {
  if (packed === undefined) return [];
  const { manifest, gates } = packed;
  try {
    requireGated(manifest, gates);
  } catch (error) {
    return [toFinding(error, "gates")];
  }
  return checkBinaries(plan, await readPacked(manifest, layout.tarballsDir));
}
