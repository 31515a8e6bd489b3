import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findWorkspaceRoot, runProcess } from "@codex-js/cli-kit";

export const repository = "git+https://github.com/fixture/fixture.git";
const root = findWorkspaceRoot(import.meta.dirname);
const turbo = join(
  dirname(createRequire(join(root, "package.json")).resolve("turbo/package.json")),
  "bin",
  "turbo",
);

const pnpmWorkspace = "packages:\n  - packages/*\npmOnFail: ignore\n";
/** The workspace itself installs without a network; what is packed still asks for the package. */
const externalOverride = 'overrides:\n  external-thing: "link:packages/turbo"\n';

/** Sizes that no fixture reaches. */
const budget = { packedBytes: 99_999, unpackedBytes: 99_999 };
const files = {
  LICENSE: 20_000,
  "README.md": 999,
  "dist/index.d.ts": 999,
  "dist/index.js": 999,
  "package.json": 999,
};

export interface FixtureOptions {
  /** Gives core a dependency that no registry of a test has by itself. */
  external?: boolean;
}

/**
 * A workspace like this repository in small, in git: `@fixture/app` depends on `@fixture/core`, a private
 * package stands beside them, one changeset bumps core. Building takes no network and no engine.
 */
export async function writeFixtureWorkspace(dir: string, options: FixtureOptions = {}): Promise<void> {
  writeJson(join(dir, "package.json"), {
    name: "fixture",
    version: "0.0.0",
    private: true,
    license: "Apache-2.0",
    type: "module",
    repository: { type: "git", url: repository },
    packageManager: readRootManifest().packageManager,
    devDependencies: { turbo: "workspace:*" },
  });
  writeFileSync(
    join(dir, "pnpm-workspace.yaml"),
    `${pnpmWorkspace}${options.external ? externalOverride : ""}`,
  );
  writeFileSync(join(dir, ".gitignore"), "node_modules/\ndist/\n.turbo/\n");
  cpSync(join(root, "LICENSE"), join(dir, "LICENSE"));
  writeJson(join(dir, "turbo.json"), {
    tasks: {
      build: { inputs: ["package.json", "src/**", "build.js"], outputs: ["dist/**"] },
      typecheck: { dependsOn: ["build"], outputs: [] },
      api: { outputs: [] },
    },
  });
  writeJson(join(dir, "tools", "size-gate", "budgets.json"), {
    version: 1,
    growthPercent: 10,
    packages: { "@fixture/app": { ...budget, files }, "@fixture/core": { ...budget, files } },
    bundles: [],
  });
  writePackage(dir, "app", { dependencies: { "@fixture/core": "workspace:^" } });
  writePackage(dir, "core", options.external ? { dependencies: { "external-thing": "1.0.0" } } : {});
  writeTurbo(join(dir, "packages", "turbo"));
  writeJson(join(dir, ".changeset", "config.json"), {
    changelog: false,
    commit: false,
    access: "public",
    baseBranch: "main",
    privatePackages: { version: false, tag: false },
  });
  writeFileSync(join(dir, ".changeset", "brave-cats.md"), '---\n"@fixture/core": minor\n---\n\nA feature.\n');
  await runProcess("pnpm", ["install", "--lockfile-only", "--offline"], { cwd: dir, env: process.env });
  commitAll(dir);
}

export function writePackage(dir: string, name: string, extra: object): void {
  const packageDir = join(dir, "packages", name);
  writeJson(join(packageDir, "package.json"), {
    name: `@fixture/${name}`,
    version: "1.0.0",
    description: "For tests",
    license: "Apache-2.0",
    type: "module",
    repository: { type: "git", url: repository, directory: `packages/${name}` },
    engines: { node: ">=20" },
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", import: "./dist/index.js" } },
    files: ["dist"],
    scripts: { build: "node build.js", typecheck: "node --check dist/index.js" },
    ...extra,
  });
  writeFileSync(join(packageDir, "README.md"), `# ${name}\n`);
  mkdirSync(join(packageDir, "src"), { recursive: true });
  writeFileSync(join(packageDir, "src", "index.js"), `export const name = "${name}";\n`);
  writeFileSync(join(packageDir, "src", "index.d.ts"), "export declare const name: string;\n");
  writeFileSync(
    join(packageDir, "build.js"),
    'import { cpSync } from "node:fs";\n\ncpSync("src", "dist", { recursive: true });\n',
  );
}

/** The private package: this repository's turbo under its name, so that the install has nothing to fetch. */
function writeTurbo(dir: string): void {
  writeJson(join(dir, "package.json"), { name: "turbo", version: "0.0.0", private: true, bin: "bin/turbo" });
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "bin", "turbo"), `#!/usr/bin/env node\nrequire(${JSON.stringify(turbo)});\n`);
  chmodSync(join(dir, "bin", "turbo"), 0o755);
}

/** What `build` would do, for tests that need no turbo. */
export function buildFixture(dir: string, names: readonly string[] = ["app", "core"]): void {
  for (const name of names) {
    cpSync(join(dir, "packages", name, "src"), join(dir, "packages", name, "dist"), { recursive: true });
  }
}

export function commitAll(dir: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch=main", "--template=");
  git("add", "--all");
  git("-c", "user.name=test", "-c", "user.email=test@example.invalid", "commit", "--quiet", "-m", "fixture");
}

export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function readRootManifest(): { packageManager: string } {
  return createRequire(import.meta.url)(join(root, "package.json"));
}
