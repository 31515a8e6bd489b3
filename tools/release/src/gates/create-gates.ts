import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { checkPackedManifest, type PackageManifest, type PackedTarball } from "@codex-js/pack";
import type { Manifest } from "../pack/manifest.ts";
import { readPacked } from "../pack/read-packed.ts";
import { type Gate, type GateName, type GateProblem, gateNames } from "./gate.ts";
import { checkPublint } from "./publint.ts";
import { checkPublishConfig } from "./publish-config.ts";
import { checkSizes } from "./size.ts";
import { createTaskCheck } from "./workspace-tasks.ts";

export interface GatesOptions {
  context: CliContext;
  stagingDir: string;
  /** turbo's. */
  cacheDir: string;
  tarballsDir: string;
  manifest: Manifest;
}

/**
 * The gates of a release. Formatting and lint are no gates: they say nothing about what users get, and
 * `pnpm lint` has them.
 * @throws ToolError CODEX_JS_RELEASE_TARBALL_CHANGED (check failed)
 */
export async function createGates(options: GatesOptions): Promise<Gate[]> {
  const { context, stagingDir, tarballsDir, manifest } = options;
  const rootManifest = JSON.parse(
    await readFile(join(stagingDir, "package.json"), "utf8"),
  ) as PackageManifest;
  const tarballs = await readPacked(manifest, tarballsDir);
  const checks: Record<GateName, Gate["run"]> = {
    manifest: checkEach(tarballs, async (tarball) => [
      ...checkPackedManifest(tarball, rootManifest),
      ...checkPublishConfig(tarball.name, tarball.manifest),
    ]),
    publint: checkEach(tarballs, ({ name, file }) => checkPublint(name, file)),
    attw: checkEach(tarballs, async ({ name, file }) => {
      // It brings a compiler, which a release that packs nothing has no use for.
      const { checkTypes } = await import("./attw.ts");
      return checkTypes(name, file);
    }),
    size: () => checkSizes(context, stagingDir, tarballs),
    typecheck: createTaskCheck("typecheck", options),
    api: createTaskCheck("api", options),
  };
  return gateNames.map((name) => ({ name, run: checks[name] }));
}

function checkEach(
  tarballs: readonly PackedTarball[],
  check: (tarball: PackedTarball) => Promise<GateProblem[]>,
): Gate["run"] {
  return async () => {
    const problems: GateProblem[] = [];
    for (const tarball of tarballs) problems.push(...(await check(tarball)));
    return problems;
  };
}
