import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { prepareOutDir } from "./out-dir.ts";

test("a new folder is hidden from git, and used again", () =>
  withTempDir("codex-js-out", async (dir) => {
    const outDir = join(dir, "a", "b");
    await prepareOutDir(outDir);
    writeFileSync(join(outDir, "plan.json"), "{}");
    await prepareOutDir(outDir);
    expect(readFileSync(join(outDir, ".gitignore"), "utf8")).toMatch(/^\*$/m);
  }));

test("a folder with other files is left alone: a release deletes in its out dir", () =>
  withTempDir("codex-js-out", async (dir) => {
    writeFileSync(join(dir, "thesis.txt"), "");
    await expect(prepareOutDir(dir)).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE",
      exitCode: 2,
    });
    expect(readdirSync(dir)).toEqual(["thesis.txt"]);
  }));

test("a file is no folder", () =>
  withTempDir("codex-js-out", async (dir) => {
    const file = join(dir, "file");
    writeFileSync(file, "");
    await expect(prepareOutDir(join(file, "out"))).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE",
      exitCode: 2,
    });
  }));
