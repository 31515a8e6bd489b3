import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/** The programs that this repository's own install has brought; absolute paths. */
export interface WorkspaceTools {
  node: { executable: string; version: string };
  bun: { executable: string; version: string };
  npm: { cli: string; version: string };
  /** JavaScript entry of the native TypeScript compiler. */
  tsc: string;
  /** The folder that holds the package `node` of @types. */
  typeRoot: string;
}

/** @throws ToolError CODEX_JS_SMOKE_NOT_INSTALLED (usage) when a program is not there */
export function findWorkspaceTools(platform: NodeJS.Platform): WorkspaceTools {
  return {
    node: {
      executable: findFile("node", `bin/${nodeExecutableName(platform)}`),
      version: readVersion("node"),
    },
    // Its install script puts the binary there under this name on every platform.
    bun: { executable: findFile("bun", "bin/bun.exe"), version: readVersion("bun") },
    npm: { cli: findFile("npm", "bin/npm-cli.js"), version: readVersion("npm") },
    tsc: findFile("typescript", "bin/tsc"),
    typeRoot: dirname(dirname(findFile("@types/node", "package.json"))),
  };
}

export function nodeExecutableName(platform: NodeJS.Platform): string {
  return platform === "win32" ? "node.exe" : "node";
}

const require = createRequire(import.meta.url);

// Written out, so that tools which look for unused dependencies see them.
const manifests = {
  node: () => require.resolve("node/package.json"),
  bun: () => require.resolve("bun/package.json"),
  npm: () => require.resolve("npm/package.json"),
  typescript: () => require.resolve("typescript/package.json"),
  "@types/node": () => require.resolve("@types/node/package.json"),
};

type PackageName = keyof typeof manifests;

function findFile(packageName: PackageName, path: string): string {
  const file = join(dirname(resolveManifest(packageName)), path);
  if (!existsSync(file)) throw notInstalled(packageName, new Error(`${file} is missing`));
  return file;
}

function readVersion(packageName: PackageName): string {
  return (require(resolveManifest(packageName)) as { version: string }).version;
}

function resolveManifest(packageName: PackageName): string {
  try {
    return manifests[packageName]();
  } catch (error) {
    throw notInstalled(packageName, error);
  }
}

function notInstalled(packageName: string, cause: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_SMOKE_NOT_INSTALLED",
    message: `the workspace's ${packageName} is not installed`,
    hint: "npx --yes pnpm install",
    exitCode: exitCodes.usage,
    cause,
  });
}
