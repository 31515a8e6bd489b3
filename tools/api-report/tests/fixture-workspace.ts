import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProcessContext, runWithContext, withTempDir } from "@codex-js/cli-kit";
import { defineCli } from "../src/define-cli.ts";

const manifest = {
  name: "@fixture/lib",
  version: "1.0.0",
  type: "module",
  exports: { ".": { types: "./dist/index.d.ts", import: "./dist/index.js" } },
};

export const declarations = `/** Adds. */
export declare function add(a: number, b: number): number;
/** Its options. */
export interface Options {
  /** In milliseconds; see {@link AbortSignal}. */
  timeoutMs?: number;
}
`;

/** A workspace of one library with declarations and one package that is only a command. */
export async function withWorkspace(use: (root: string, lib: string) => Promise<void>): Promise<void> {
  await withTempDir("codex-js-api-test", async (root) => {
    await writeTree(root, {
      "pnpm-workspace.yaml": "packages: [packages/*]\n",
      "package.json": JSON.stringify({ name: "fixture", version: "0.0.0", private: true }),
      "packages/cli/package.json": JSON.stringify({ name: "cli", version: "1.0.0", bin: "dist/cli.js" }),
      "packages/lib/package.json": JSON.stringify(manifest),
      "packages/lib/dist/index.d.ts": declarations,
    });
    await use(root, join(root, "packages/lib"));
  });
}

/** Gives the library another manifest field, such as other `exports`. */
export async function writeLibManifest(lib: string, changes: object): Promise<void> {
  await writeTree(lib, { "package.json": JSON.stringify({ ...manifest, ...changes }) });
}

export async function writeTree(dir: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

export async function runApiReport(cwd: string, ...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runWithContext(
    defineCli,
    {
      ...createProcessContext(new AbortController().signal),
      cwd,
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
    },
    argv,
  );
  return { exitCode, out: out.join(""), err: err.join("") };
}
