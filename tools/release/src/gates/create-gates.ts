import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { checkPackedManifest, type PackageManifest, type PackedTarball, readTarball } from "@codex-js/pack";
import type { Manifest } from "../pack/manifest.ts";
import { checkTypes } from "./attw.ts";
import type { Gate, GateProblem } from "./gate.ts";
import { checkPublint } from "./publint.ts";
import { checkPublishConfig } from "./publish-config.ts";
import { checkSizes } from "./size.ts";
import { createTaskGate } from "./workspace-tasks.ts";

export interface GatesOptions {
  context: CliContext;
  stagingDir: string;
  /** turbo's. */
  cacheDir: string;
  tarballsDir: string;
  manifest: Manifest;
}

/**
 * The gates of a release, cheap ones first. Formatting and lint are no gates: they say nothing about what
 * users get, and `pnpm lint` has them.
 */
export async function createGates(options: GatesOptions): Promise<Gate[]> {
  const { stagingDir, tarballsDir, manifest } = options;
  const rootManifest = JSON.parse(
    await readFile(join(stagingDir, "package.json"), "utf8"),
  ) as PackageManifest;
  const tarballs = await Promise.all(
    manifest.packages.map(({ filename }) => readTarball(join(tarballsDir, filename))),
  );
  return [
    createTarballGate("manifest", tarballs, async (tarball) => [
      ...checkPackedManifest(tarball, rootManifest),
      ...checkPublishConfig(tarball.name, tarball.manifest),
    ]),
    createTarballGate("publint", tarballs, ({ name, file }) => checkPublint(name, file)),
    createTarballGate("attw", tarballs, ({ name, file }) => checkTypes(name, file)),
    { name: "size", run: () => checkSizes(options.context, stagingDir, tarballs) },
    createTaskGate("typecheck", "typecheck", options),
    createTaskGate("api", "api", options),
  ];
}

function createTarballGate(
  name: string,
  tarballs: readonly PackedTarball[],
  check: (tarball: PackedTarball) => Promise<GateProblem[]>,
): Gate {
  return {
    name,
    run: async () => {
      const problems: GateProblem[] = [];
      for (const tarball of tarballs) problems.push(...(await check(tarball)));
      return problems;
    },
  };
}
