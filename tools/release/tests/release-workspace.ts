import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProcess } from "@codex-js/cli-kit";
import {
  commitAll,
  repository,
  writeFixtureWorkspace,
  writeJson,
  writePackage,
} from "./fixture-workspace.ts";
import { createProgram } from "./programs.ts";

/** Rows of the fixture's table of platforms. */
export const targets = [
  { id: "linux-x64", os: "linux", cpu: "x64", libc: "glibc", triple: "x86_64-unknown-linux-gnu" },
  { id: "darwin-arm64", os: "darwin", cpu: "arm64", triple: "aarch64-apple-darwin" },
  { id: "win32-x64", os: "win32", cpu: "x64", triple: "x86_64-pc-windows-msvc" },
] as const;

/** In the order of publishing. */
export const packageNames = [
  ...targets.map(({ id }) => `@fixture/tool-${id}`).sort(),
  "@fixture/core",
  "@fixture/app",
  "@fixture/tool",
];

export interface ReleaseWorkspaceOptions {
  /** Of every package; default 1.0.0. */
  version?: string;
  /** Only `@fixture/tool`, for two platforms. */
  small?: boolean;
}

/**
 * The fixture workspace as a commit that can be released: one version everywhere, no changeset, and
 * `@fixture/tool`, a package with a native program for each of three platforms.
 */
export async function writeReleaseWorkspace(
  dir: string,
  { version = "1.0.0", small = false }: ReleaseWorkspaceOptions = {},
): Promise<void> {
  await writeFixtureWorkspace(dir);
  rmSync(join(dir, ".changeset", "brave-cats.md"));
  writeJson(join(dir, ".changeset", "config.json"), {
    changelog: false,
    commit: false,
    access: "public",
    baseBranch: "main",
    fixed: [["@fixture/*"]],
    privatePackages: { version: false, tag: false },
  });
  const built = small ? targets.slice(0, 2) : targets;
  writeJson(join(dir, "packages", "platforms", "targets.json"), { version: 1, targets: built });
  const optionalDependencies = Object.fromEntries(
    built.map(({ id }) => [`@fixture/tool-${id}`, "workspace:*"]),
  );
  writePackage(dir, "tool", { version, optionalDependencies });
  for (const target of built) writePlatformPackage(dir, target, version);
  const changelog = `# @fixture/tool\n\n## ${version}\n\n### Minor Changes\n\n- A feature (#7)\n\n## 0.9.0\n\n- Old\n`;
  writeFileSync(join(dir, "packages", "tool", "CHANGELOG.md"), changelog);
  for (const name of ["app", "core"]) {
    if (small) rmSync(join(dir, "packages", name), { recursive: true });
    else
      writePackage(
        dir,
        name,
        name === "app" ? { version, dependencies: { "@fixture/core": "workspace:^" } } : { version },
      );
  }
  writeBudgets(dir);
  await runProcess("pnpm", ["install", "--lockfile-only", "--offline"], { cwd: dir, env: process.env });
  commitAll(dir);
}

function writePlatformPackage(dir: string, target: (typeof targets)[number], version: string): void {
  const name = `tool-${target.id}`;
  const packageDir = join(dir, "packages", name);
  writeJson(join(packageDir, "package.json"), {
    name: `@fixture/${name}`,
    version,
    description: "For tests",
    license: "Apache-2.0",
    repository: { type: "git", url: repository, directory: `packages/${name}` },
    engines: { node: ">=20" },
    os: [target.os],
    cpu: [target.cpu],
    ...("libc" in target ? { libc: [target.libc] } : {}),
    files: ["bin"],
  });
  writeFileSync(join(packageDir, "README.md"), `# ${name}\n`);
  // What a real build writes last; the fixture's programs are there already.
  writeJson(join(packageDir, "build.json"), { status: "built" });
  writeProgram(dir, target, createProgram(target.os, target.cpu));
}

/** Puts a program into the platform package of `target`. */
export function writeProgram(dir: string, target: (typeof targets)[number], program: Buffer): void {
  const file = join(dir, "packages", `tool-${target.id}`, "bin", target.os === "win32" ? "tool.exe" : "tool");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, program);
  chmodSync(file, 0o755);
}

function writeBudgets(dir: string): void {
  const budget = { packedBytes: 99_999, unpackedBytes: 99_999 };
  const documents = { LICENSE: 20_000, "README.md": 999, "package.json": 1999 };
  const library = { ...documents, "dist/index.d.ts": 999, "dist/index.js": 999 };
  const packages = {
    "@fixture/app": { ...budget, files: library },
    "@fixture/core": { ...budget, files: library },
    "@fixture/tool": { ...budget, files: library },
    ...Object.fromEntries(
      targets.map(({ id, os }) => [
        `@fixture/tool-${id}`,
        { ...budget, files: { ...documents, [os === "win32" ? "bin/tool.exe" : "bin/tool"]: 999 } },
      ]),
    ),
  };
  writeJson(join(dir, "tools", "size-gate", "budgets.json"), {
    version: 1,
    growthPercent: 10,
    packages,
    bundles: [],
  });
}
