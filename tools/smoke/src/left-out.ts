import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { planProjectNeed } from "./disk-needs.ts";
import { requireSpace } from "./disk-space.ts";
import { createMismatch } from "./expect.ts";
import { parsePackageVersion } from "./package-version.ts";
import type { Project } from "./project.ts";
import { fetchPublished, type PublishedPackage, verifyTarball } from "./published.ts";
import type { Runtime } from "./runtime-store.ts";
import type { PackageVersion } from "./types.ts";

export interface LeftOutOptions {
  context: Pick<CliContext, "fetch" | "signal">;
  runtime: Runtime;
  project: Project;
  registryUrl: string;
  packages: readonly PublishedPackage[];
  /** As of SmokeOptions. */
  leftOut?: readonly string[];
}

/**
 * The engine's binary is an optional dependency, which package managers leave out without a word when they
 * could not fetch or unpack it. Finds those that are missing, and the reason.
 * @param installed names of the packages in node_modules
 * @throws ToolError CODEX_JS_SMOKE_DISK_FULL, CODEX_JS_SMOKE_REGISTRY_FAILED (external), CODEX_JS_SMOKE_WRONG_BYTES,
 * CODEX_JS_SMOKE_NOT_PUBLISHED and, without a reason outside, CODEX_JS_SMOKE_MISMATCH (check failed)
 */
export async function verifyNothingLeftOut(
  options: LeftOutOptions,
  installed: Iterable<string>,
): Promise<void> {
  const { context, project, packages, registryUrl, runtime } = options;
  for (const { name, wanted } of await findLeftOut(options, installed)) {
    // The package manager has removed what did not fit: the space is there again, and is not enough.
    await requireSpace(planProjectNeed(packages, project.dir));
    await verifyTarball(await fetchPublished(registryUrl, wanted, context), context);
    throw createMismatch(`${name} is not installed: ${runtime.packageManager} has left it out`);
  }
}

interface LeftOut {
  /** The folder in node_modules. */
  name: string;
  /** What belongs into it. */
  wanted: PackageVersion;
}

async function findLeftOut(
  { project, leftOut = [] }: Pick<LeftOutOptions, "project" | "leftOut">,
  installed: Iterable<string>,
): Promise<LeftOut[]> {
  const modules = join(project.dir, "node_modules");
  const found: LeftOut[] = [];
  for (const parent of installed) {
    if (!existsSync(join(modules, parent, "package.json"))) continue;
    const { optionalDependencies = {} } = await project.readManifest(parent);
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const places = [join(modules, name), join(modules, parent, "node_modules", name)];
      if (
        !isForThisHost(name) ||
        leftOut.includes(name) ||
        places.some((dir) => existsSync(join(dir, "package.json")))
      )
        continue;
      found.push({
        name,
        wanted: parsePackageVersion(range.replace(/^npm:/, "").replace(/^(?=\d)/, `${name}@`)),
      });
    }
  }
  return found;
}

/** As esbuild has introduced it: `NAME-linux-x64`. */
function isForThisHost(name: string): boolean {
  return name.endsWith(`-${process.platform}-${process.arch}`);
}
