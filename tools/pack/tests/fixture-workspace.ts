import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CliContext, createProcessContext } from "@codex-js/cli-kit";

export const repository = { type: "git", url: "git+https://github.com/example/example.git" };

/** The public package of the fixture: what a real one here declares, in small. */
export const alphaManifest = {
  name: "@fixture/alpha",
  version: "1.2.3",
  description: "first",
  license: "Apache-2.0",
  type: "module",
  repository: { ...repository, directory: "packages/alpha" },
  engines: { node: ">=20" },
  bin: { alpha: "dist/alpha.js" },
  exports: { ".": { types: "./dist/alpha.d.ts", import: "./dist/alpha.js" } },
  files: ["dist", "!dist/**/*.map"],
  publishConfig: { access: "public" },
  scripts: { build: "exit 1", prepack: "exit 1" },
  dependencies: { "left-engine": "catalog:engine" },
  optionalDependencies: { "@fixture/beta": "workspace:*" },
  devDependencies: { "@fixture/secret": "workspace:*" },
};

/** Writes a workspace of two public packages and a private one into `root`; alpha is built. */
export async function writeWorkspace(root: string, manifest: object = alphaManifest): Promise<void> {
  await writeTree(root, {
    "pnpm-workspace.yaml":
      "packages:\n  - packages/*\nverifyDepsBeforeRun: install\ncatalogs:\n  engine:\n    left-engine: 9.8.7\n",
    "package.json": JSON.stringify({
      name: "fixture",
      version: "0.0.0",
      private: true,
      license: "Apache-2.0",
      repository,
      packageManager: "pnpm@1.0.0",
    }),
    LICENSE: "the licence\n",
    "packages/alpha/package.json": JSON.stringify(manifest),
    "packages/alpha/README.md": "# alpha\n",
    "packages/alpha/src/alpha.ts": "export const alpha = 1;\n",
    "packages/alpha/dist/alpha.js": "#!/usr/bin/env node\nexport const alpha = 1;\n",
    "packages/alpha/dist/alpha.js.map": "{}\n",
    "packages/alpha/dist/alpha.d.ts": "export declare const alpha: 1;\n",
    "packages/alpha/dist/native": "binary\n",
    "packages/beta/package.json": JSON.stringify({
      name: "@fixture/beta",
      version: "3.0.0",
      files: ["dist"],
    }),
    "packages/secret/package.json": JSON.stringify({
      name: "@fixture/secret",
      version: "0.0.0",
      private: true,
    }),
  });
  await chmod(join(root, "packages/alpha/dist/native"), 0o755);
}

export async function writeTree(dir: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

/** The real world, with variables of its own. */
export function createContext(env: NodeJS.ProcessEnv = process.env): CliContext {
  return { ...createProcessContext(new AbortController().signal), env };
}
