import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { describe, expect, test } from "vitest";
import { checkPackedManifest, listPublicPackages, packTwice } from "../src/index.ts";
import { createContext } from "./fixture-workspace.ts";

const root = join(import.meta.dirname, "../../..");

describe.each(await listPublicPackages(root))("$name", (pkg) => {
  // Skipped, and counted as such, in a checkout where nobody has built.
  test.skipIf(!existsSync(join(pkg.dir, "dist")))("packs to the same bytes twice, without a problem", () =>
    withTempDir("codex-js-pack-test", async (outDir) => {
      const tarball = await packTwice(pkg, { root, outDir, context: createContext() });
      const rootManifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
      expect(checkPackedManifest(tarball, rootManifest)).toEqual([]);
      expect(JSON.stringify(tarball.manifest)).not.toMatch(/catalog:|workspace:|@codex-js\/testkit/);
    }),
  );
});
