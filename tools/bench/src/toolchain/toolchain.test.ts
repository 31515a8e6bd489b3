import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { readCatalog } from "./warm-install.ts";

test("a catalog is read whole, without comments and without its neighbours", async () => {
  await withTempDir("codex-js-catalog", async (dir) => {
    const yaml = `catalogs:
  # The engine.
  engine:
    "@openai/codex": 0.171.0
  cli:
    # How commands are read.
    commander: 15.1.0
    "@scope/name": 1.2.3-rc.1
  bench:
    mitata: 1.0.34
`;
    await writeFile(join(dir, "pnpm-workspace.yaml"), yaml);
    expect(await readCatalog(dir, "cli")).toEqual({ commander: "15.1.0", "@scope/name": "1.2.3-rc.1" });
  });
});
