import type { Installation, PackageManager } from "./installation.ts";
import { targets } from "./targets.ts";

const globalCommand: Record<PackageManager, string> = {
  npm: "npm install -g",
  pnpm: "pnpm add -g",
  yarn: "yarn global add",
  bun: "bun add -g",
};

/** The command that brings everything anew. */
export function describeReinstall(installation: Installation): string {
  if (installation.isGlobal) return `run: ${globalCommand[installation.manager]} ${nameOf(installation)}`;
  return `delete node_modules, then run: ${installation.manager} install`;
}

/** How to get the optional packages that an earlier install left out. `setting` is what made it do so, if known. */
export function describeIncludeOptional(installation: Installation, setting: string | undefined): string {
  const first = setting === undefined ? "" : `remove ${setting}, then `;
  if (installation.manager === "npm") {
    return `${first}run: npm install --include=optional${installation.isGlobal ? ` -g ${nameOf(installation)}` : ""}`;
  }
  const flag = { pnpm: "--no-optional", yarn: "--ignore-optional", bun: "--omit=optional" }[
    installation.manager
  ];
  return `${first}${describeReinstall(installation)} (without ${flag})`;
}

/** How one `node_modules` can serve this machine as well as the one it was made on. */
export function describeSeveralPlatforms(installation: Installation, os: string, cpu: string): string {
  switch (installation.manager) {
    case "npm":
      return `npm install --no-save --os=${os} --cpu=${cpu}`;
    case "bun":
      return `bun install --os=${os} --cpu=${cpu}`;
    case "pnpm":
      return "supportedArchitectures in pnpm-workspace.yaml";
    case "yarn":
      return "supportedArchitectures in .yarnrc.yml";
  }
}

/** `linux x64, linux arm64, …`: each once. */
export function describeSupportedHosts(): string {
  return [...new Set(targets.map((target) => `${target.os} ${target.cpu}`))].join(", ");
}

function nameOf(installation: Installation): string {
  return installation.packageName ?? "@openai/codex";
}
