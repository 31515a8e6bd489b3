import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { findKeptDir, type KeptDir, prepareKeptDir, requireOutsideOf } from "./kept-dir.ts";

const out = (path: string): KeptDir => ({ path, flag: "--out" });
const registry = (path: string): KeptDir => ({ path, flag: "--registry-dir" });
const unusable = { code: "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE", exitCode: 2 };

test("a new folder is hidden from git, and used again", () =>
  withTempDir("codex-js-kept", async (dir) => {
    const path = join(dir, "a", "b");
    await prepareKeptDir(out(path));
    writeFileSync(join(path, "plan.json"), "{}");
    await prepareKeptDir(out(path));
    expect(readFileSync(join(path, ".gitignore"), "utf8")).toMatch(/^\*$/m);
    expect(await findKeptDir(out(path))).toBe(true);
  }));

test("a folder with other files is left alone: a release deletes in its own", () =>
  withTempDir("codex-js-kept", async (dir) => {
    writeFileSync(join(dir, "thesis.txt"), "");
    await expect(prepareKeptDir(out(dir))).rejects.toMatchObject(unusable);
    await expect(findKeptDir(out(dir))).rejects.toMatchObject(unusable);
    await expect(prepareKeptDir(registry(dir))).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE",
      exitCode: 2,
      hint: expect.stringContaining("--registry-dir"),
    });
    expect(readdirSync(dir)).toEqual(["thesis.txt"]);
  }));

test("looking for a folder makes none", () =>
  withTempDir("codex-js-kept", async (dir) => {
    expect(await findKeptDir(out(join(dir, "a")))).toBe(false);
    mkdirSync(join(dir, "empty"));
    expect(await findKeptDir(out(join(dir, "empty")))).toBe(true);
    expect([readdirSync(dir), readdirSync(join(dir, "empty"))]).toEqual([["empty"], []]);
  }));

test("a file is no folder", () =>
  withTempDir("codex-js-kept", async (dir) => {
    const file = join(dir, "file");
    writeFileSync(file, "");
    await expect(prepareKeptDir(out(join(file, "out")))).rejects.toMatchObject(unusable);
    await expect(findKeptDir(out(file))).rejects.toMatchObject(unusable);
  }));

// Node's recursive mkdir would not come back.
test.skipIf(process.platform !== "linux")(
  "a place where nothing can be made is refused at once",
  async () => {
    await expect(prepareKeptDir(out("/proc/codex-js/out"))).rejects.toMatchObject(unusable);
  },
);

test("the repository and what is around it are refused, also behind a link; what is in it is not", () =>
  withTempDir("codex-js-kept", async (dir) => {
    const root = join(dir, "repo");
    mkdirSync(root);
    symlinkSync(root, join(dir, "link"), "junction");
    for (const path of [root, dir, dirname(dir), join(dir, "link")]) {
      expect(() => requireOutsideOf(root, out(path))).toThrow(/repository/);
    }
    for (const path of [join(root, ".release"), join(root, "..out"), join(dir, "other")]) {
      expect(() => requireOutsideOf(root, out(path))).not.toThrow();
    }
  }));
