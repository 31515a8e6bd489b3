import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { type CliContext, createProcessContext, runWithContext, withTempDir } from "@codex-js/cli-kit";
import { defineCli } from "../src/define-cli.ts";

/** The SDK's real budget, for a package of the same shape. */
export const budgets = {
  version: 1,
  growthPercent: 10,
  packages: {
    "@fixture/sdk": {
      packedBytes: 20_000,
      unpackedBytes: 75_000,
      files: {
        LICENSE: 100,
        "README.md": 100,
        "dist/index.d.ts": 100,
        "dist/index.js": 5000,
        "package.json": 1000,
      },
    },
  },
  bundles: [{ package: "@fixture/sdk", import: "{ Codex }", brotliBytes: 200 }],
};

const manifest = {
  name: "@fixture/sdk",
  version: "1.0.0",
  type: "module",
  sideEffects: false,
  exports: { ".": { types: "./dist/index.d.ts", import: "./dist/index.js" } },
  files: ["dist"],
  dependencies: { engine: "1.0.0" },
};

/** Unused is 4 kB that a bundler must shake off; the engine is not installed and must stay outside. */
const source = [
  'import { readFileSync } from "node:fs";',
  'import engine from "engine";',
  "export class Codex { run() { return [engine, readFileSync]; } }",
  `export const Unused = "${Array.from({ length: 400 }, (_, index) => index.toString(36).padStart(10, "x")).join("")}";`,
].join("\n");

export async function withWorkspace(use: (root: string) => Promise<void>): Promise<void> {
  await withTempDir("codex-js-size-test", async (root) => {
    await writeTree(root, {
      "pnpm-workspace.yaml": "packages: [packages/*]\n",
      "package.json": JSON.stringify({ name: "fixture", version: "0.0.0", private: true }),
      LICENSE: "licence\n",
      "tools/size-gate/budgets.json": JSON.stringify(budgets),
      "packages/sdk/package.json": JSON.stringify(manifest),
      "packages/sdk/README.md": "# sdk\n",
      "packages/sdk/dist/index.js": source,
      "packages/sdk/dist/index.d.ts": "export declare class Codex {}\n",
    });
    await use(root);
  });
}

export async function writeTree(dir: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

/**
 * Runs the command line in this process against a registry on loopback that answers `packument`, 404
 * without one; `"npmrc"` leaves the registry to npm's configuration.
 */
export async function runSize(
  root: string,
  argv: string[],
  packument?: object | "npmrc",
  env: NodeJS.ProcessEnv = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const context: CliContext = {
    ...createProcessContext(new AbortController().signal),
    cwd: root,
    env: { ...process.env, GITHUB_STEP_SUMMARY: "", ...env },
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
  };
  const server = createServer((request, response) => {
    if (request.method === "HEAD") return response.writeHead(200, { "content-length": "700" }).end();
    return packument === undefined
      ? response.writeHead(404).end()
      : response.end(JSON.stringify(packument).replaceAll("HOST", `${request.headers.host}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const registryArgs = packument === "npmrc" ? [] : ["--registry", registry];
    const exitCode = await runWithContext(defineCli, context, [...registryArgs, ...argv]);
    return { exitCode, out: out.join(""), err: err.join("") };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
