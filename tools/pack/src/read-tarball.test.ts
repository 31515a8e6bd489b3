import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { create } from "tar";
import { expect, test } from "vitest";
import { writeTree } from "../tests/fixture-workspace.ts";
import { findDifference } from "./find-difference.ts";
import { readTarball } from "./read-tarball.ts";

const manifest = JSON.stringify({ name: "a", version: "1.0.0" });

async function writeTarball(dir: string, name: string, files: Record<string, string>): Promise<string> {
  const file = join(dir, `${name}.tgz`);
  await writeTree(join(dir, name, "package"), files);
  await create({ file, gzip: true, cwd: join(dir, name), portable: true }, ["package"]);
  return file;
}

test("a tarball whose folder has another name is read alike", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    await writeTree(dir, { "other/package.json": manifest, "other/lib/x.js": "1" });
    const file = join(dir, "a.tgz");
    await create({ file, gzip: true, cwd: dir }, ["other"]);
    const { files, unpackedBytes } = await readTarball(file);
    expect({ paths: files.map(({ path }) => path), unpackedBytes }).toEqual({
      paths: ["lib/x.js", "package.json"],
      unpackedBytes: manifest.length + 1,
    });
  }));

test("a truncated download, a page of HTML and a missing file are no tarballs", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    const whole = await writeTarball(dir, "whole", { "package.json": manifest, x: "x".repeat(5000) });
    const bytes = await readFile(whole);
    await writeFile(join(dir, "truncated.tgz"), bytes.subarray(0, bytes.length - 40));
    await writeFile(join(dir, "page.tgz"), "<html>Not Found</html>");
    for (const name of ["truncated", "page", "missing"]) {
      await expect(readTarball(join(dir, `${name}.tgz`)), name).rejects.toMatchObject({
        code: "CODEX_JS_PACK_BAD_TARBALL",
        exitCode: 3,
      });
    }
  }));

test.skipIf(process.platform === "win32")("a symlink is refused: npm would drop it silently", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    await writeTree(dir, { "package/package.json": manifest });
    await symlink("package.json", join(dir, "package/link"));
    await create({ file: join(dir, "a.tgz"), gzip: true, cwd: dir }, ["package"]);
    await expect(readTarball(join(dir, "a.tgz"))).rejects.toMatchObject({
      code: "CODEX_JS_PACK_BAD_TARBALL",
      cause: { message: expect.stringContaining("package/link is a SymbolicLink") },
    });
  }),
);

test("the first difference is named, whatever its kind", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    const base = await writeTarball(dir, "base", { "package.json": manifest, "a.js": "123", "b.js": "456" });
    const changed = await writeTarball(dir, "changed", {
      "package.json": manifest,
      "a.js": "123",
      "b.js": "45",
    });
    const less = await writeTarball(dir, "less", { "package.json": manifest, "a.js": "123" });
    const loose = join(dir, "loose.tgz");
    await create({ file: loose, gzip: { level: 1 }, cwd: join(dir, "base"), portable: true }, ["package"]);
    expect([
      await findDifference(base, base),
      await findDifference(base, changed),
      await findDifference(base, less),
      await findDifference(base, loose),
    ]).toEqual([
      undefined,
      "b.js differs at byte 2 (3 B, then 2 B)",
      "b.js is in one of them only",
      expect.stringMatching(/^the same files, but the archives differ at byte \d+$/),
    ]);
  }));
