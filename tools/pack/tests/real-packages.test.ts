import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { describe, expect, test } from "vitest";
import {
  checkPackedManifest,
  findLeftOut,
  listPublicPackages,
  type PublicPackage,
  packTwice,
} from "../src/index.ts";
import { createContext } from "./fixture-workspace.ts";

const root = join(import.meta.dirname, "../../..");

const packages = await Promise.all(
  (await listPublicPackages(root)).map(async (pkg) => ({ ...pkg, isBuilt: await isBuilt(pkg) })),
);

/** False where nobody has built, and for what is built on other machines. */
async function isBuilt(pkg: PublicPackage): Promise<boolean> {
  const leftOut = await findLeftOut(pkg).catch((error: Error) => error);
  return leftOut === undefined && existsSync(join(pkg.dir, pkg.manifest.files![0]!));
}

describe.each(packages)("$name", (pkg) => {
  test.skipIf(!pkg.isBuilt)("packs to the same bytes twice, without a problem", () =>
    withTempDir("codex-js-pack-test", async (outDir) => {
      const tarball = await packTwice(pkg, { root, outDir, context: createContext() });
      const rootManifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
      expect(checkPackedManifest(tarball, rootManifest)).toEqual([]);
      expect(JSON.stringify(tarball.manifest)).not.toMatch(/catalog:|workspace:|@codex-js\/testkit/);
    }),
  );
});
