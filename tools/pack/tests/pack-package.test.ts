import { chmod, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { checkPackedManifest, listPublicPackages, packPackage, readTarball } from "../src/index.ts";
import { alphaManifest, createContext, repository, writeTree, writeWorkspace } from "./fixture-workspace.ts";

const inWorkspace = (use: (root: string, outDir: string) => Promise<void>, manifest?: object) =>
  withTempDir("codex-js-pack-test", async (dir) => {
    const root = join(dir, "workspace");
    await writeWorkspace(root, manifest);
    await use(root, join(dir, "out"));
  });

async function packAlpha(root: string, outDir: string, env?: NodeJS.ProcessEnv) {
  const [alpha] = await listPublicPackages(root);
  return packPackage(alpha!, { root, outDir, context: createContext(env) });
}

test("lists what is not private, with absolute folders", () =>
  inWorkspace(async (root) => {
    const packages = await listPublicPackages(root);
    expect(packages).toEqual([
      {
        name: "@fixture/alpha",
        version: "1.2.3",
        dir: join(root, "packages/alpha"),
        manifest: alphaManifest,
      },
      {
        name: "@fixture/beta",
        version: "3.0.0",
        dir: join(root, "packages/beta"),
        manifest: { name: "@fixture/beta", version: "3.0.0", files: ["dist"] },
      },
    ]);
  }));

test("packs what `files` names, with resolved ranges and without what only the workspace needs", () =>
  inWorkspace(async (root, outDir) => {
    const tarball = await packAlpha(root, outDir);
    const { scripts: _, devDependencies: __, ...published } = alphaManifest;
    expect(tarball).toEqual({
      name: "@fixture/alpha",
      version: "1.2.3",
      file: join(outDir, "fixture-alpha-1.2.3.tgz"),
      filename: "fixture-alpha-1.2.3.tgz",
      integrity: expect.stringMatching(/^sha512-/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      packedBytes: expect.any(Number),
      unpackedBytes: tarball.files.reduce((sum, file) => sum + file.sizeBytes, 0),
      files: [
        { path: "LICENSE", sizeBytes: 12, mode: 0o644 },
        { path: "README.md", sizeBytes: 8, mode: 0o644 },
        { path: "dist/alpha.d.ts", sizeBytes: 31, mode: 0o644 },
        { path: "dist/alpha.js", sizeBytes: 44, mode: 0o755, hashbang: "#!/usr/bin/env node" },
        // Windows has no +x to keep.
        { path: "dist/native", sizeBytes: 7, mode: process.platform === "win32" ? 0o644 : 0o755 },
        { path: "package.json", sizeBytes: expect.any(Number), mode: 0o644 },
      ],
      manifest: {
        ...published,
        dependencies: { "left-engine": "9.8.7" },
        optionalDependencies: { "@fixture/beta": "3.0.0" },
      },
    });
    expect(await readdir(outDir)).toEqual([tarball.filename]);
    expect(await readTarball(tarball.file)).toEqual(tarball);
    expect(checkPackedManifest(tarball, { license: "Apache-2.0", repository })).toEqual([]);
  }));

test("the bytes do not depend on mtimes, permissions, folder or pnpm's configuration", () =>
  inWorkspace(async (root, outDir) => {
    const first = await packAlpha(root, outDir);
    await inWorkspace(async (otherRoot, otherOutDir) => {
      const dist = join(otherRoot, "packages/alpha/dist");
      await chmod(join(dist, "alpha.js"), 0o600);
      await chmod(join(dist, "alpha.d.ts"), 0o666);
      await chmod(join(dist, "native"), 0o700);
      await utimes(join(dist, "alpha.js"), new Date("2001-01-01"), new Date("2001-01-01"));
      const env = { ...process.env, pnpm_config_pack_gzip_level: "1", npm_config_pack_gzip_level: "1" };
      const second = await packAlpha(otherRoot, otherOutDir, env);
      expect(second.sha256).toBe(first.sha256);
    });
  }));

test("leaves the workspace as it was", () =>
  inWorkspace(async (root, outDir) => {
    const before = (await readdir(root, { recursive: true })).sort();
    await packAlpha(root, outDir);
    expect((await readdir(root, { recursive: true })).sort()).toEqual(before);
  }));

// faro-bundler#513: a release went out without its dist.
test("a package that is not built is an error that says to build", () =>
  inWorkspace(async (root, outDir) => {
    await rm(join(root, "packages/alpha/dist"), { recursive: true });
    await expect(packAlpha(root, outDir)).rejects.toMatchObject({
      code: "CODEX_JS_PACK_NOT_BUILT",
      exitCode: 2,
      hint: "run pnpm build",
      message: expect.stringMatching(/^@fixture\/alpha has no dist in /),
    });
  }));

test("without pnpm on PATH the error says how to get it there", () =>
  inWorkspace(async (root, outDir) => {
    // Windows calls it Path.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^path$/i.test(name)));
    await expect(packAlpha(root, outDir, { ...env, PATH: root })).rejects.toMatchObject({
      code: "CODEX_JS_PACK_NO_PNPM",
      exitCode: 2,
      hint: expect.stringContaining("npx pnpm"),
    });
  }));

test("a dependency on a private package is refused before users' installs fail on it", () =>
  inWorkspace(
    async (root, outDir) => {
      await expect(packAlpha(root, outDir)).rejects.toMatchObject({
        code: "CODEX_JS_PACK_PRIVATE_DEPENDENCY",
        message: expect.stringContaining("@fixture/secret"),
      });
    },
    { ...alphaManifest, dependencies: { "@fixture/secret": "workspace:*" } },
  ));

test("a repository.directory that is another package's is refused", () =>
  inWorkspace(
    async (root, outDir) => {
      await expect(packAlpha(root, outDir)).rejects.toMatchObject({
        code: "CODEX_JS_PACK_WRONG_DIRECTORY",
        message: expect.stringContaining("packages/beta"),
      });
    },
    { ...alphaManifest, repository: { ...repository, directory: "packages/beta" } },
  ));

test("a catalog entry that is missing fails with pnpm's reason", () =>
  inWorkspace(
    async (root, outDir) => {
      await expect(packAlpha(root, outDir)).rejects.toMatchObject({
        code: "CODEX_JS_PROCESS_FAILED",
        message: expect.stringContaining("No catalog entry 'nowhere'"),
      });
    },
    { ...alphaManifest, dependencies: { nowhere: "catalog:engine" } },
  ));

test("a folder that cannot be written to is an error, not a stack trace", () =>
  inWorkspace(async (root) => {
    await writeTree(root, { "blocked/file": "" });
    await expect(packAlpha(root, join(root, "blocked/file/out"))).rejects.toMatchObject({
      code: "CODEX_JS_PACK_DISK",
      exitCode: 3,
    });
  }));

test("a folder without a workspace is an error of configuration", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    await writeTree(dir, {
      "pnpm-workspace.yaml": "packages: [packages/*]\n",
      "package.json": "{}",
      "packages/broken/package.json": "{",
    });
    await expect(listPublicPackages(dir)).rejects.toMatchObject({
      code: "CODEX_JS_PACK_WORKSPACE",
      exitCode: 2,
    });
  }));
