import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import { findBun } from "../runtimes.ts";
import type { ScenarioContext } from "../scenario.ts";
import { providePnpm } from "./provide-pnpm.ts";
import type { Step, ToolPart, ToolTask } from "./types.ts";

/** The packages of the command-line kit, installed from a warm cache with a lock file, without the network. */
export const warmInstall: ToolPart = {
  name: "warm install",
  plan: async ({ context, dir }): Promise<ToolTask[]> => {
    const dependencies = await readCatalog(context.root, "cli");
    const pnpm = await preparePnpm(join(dir, "pnpm"), dependencies, context);
    const bun = await prepareBun(join(dir, "bun"), dependencies, context);
    const removeModules = (step: Step) => () =>
      rm(join(step.cwd, "node_modules"), { recursive: true, force: true });
    const comparisons = [{ side: "bun", baseline: "pnpm" }];
    return [
      {
        metric: "warmInstallMs",
        label: "install, cache warm, node_modules removed",
        sides: [
          { name: "pnpm", prepare: removeModules(pnpm), step: pnpm },
          { name: "bun", prepare: removeModules(bun), step: bun },
        ],
        comparisons,
      },
      {
        metric: "repeatedInstallMs",
        label: "install, nothing to do",
        sides: [
          { name: "pnpm", step: pnpm },
          { name: "bun", step: bun },
        ],
        comparisons,
      },
    ];
  },
};

async function preparePnpm(
  dir: string,
  dependencies: Record<string, string>,
  context: ScenarioContext,
): Promise<Step> {
  const pnpm = await providePnpm(context);
  await createProject(dir, dependencies);
  const env = createChildEnv(context.env, { CI: "true" });
  const common = ["install", "--ignore-workspace", "--ignore-scripts", "--store-dir", join(dir, "store")];
  await runProcess(pnpm, [...common, "--no-frozen-lockfile"], { cwd: dir, env, signal: context.signal });
  return { file: pnpm, args: [...common, "--offline", "--frozen-lockfile"], cwd: dir, env };
}

async function prepareBun(
  dir: string,
  dependencies: Record<string, string>,
  context: ScenarioContext,
): Promise<Step> {
  const bun = findBun();
  await createProject(dir, dependencies);
  const env = createChildEnv(context.env, { BUN_INSTALL_CACHE_DIR: join(dir, "cache") });
  const common = ["install", "--ignore-scripts"];
  await runProcess(bun, common, { cwd: dir, env, signal: context.signal });
  return { file: bun, args: [...common, "--frozen-lockfile"], cwd: dir, env };
}

async function createProject(dir: string, dependencies: Record<string, string>): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(
    join(dir, "package.json"),
    JSON.stringify({ name: "warm-install", private: true, dependencies }),
  );
}

/** One catalog of pnpm-workspace.yaml: lines of `name: version` below its name. */
export async function readCatalog(root: string, catalog: string): Promise<Record<string, string>> {
  const text = await readFile(join(root, "pnpm-workspace.yaml"), "utf8");
  const block = new RegExp(`^  ${catalog}:\\n((?:    .*\\n)+)`, "m").exec(text)?.[1] ?? "";
  const entries = block.matchAll(/^ {4}"?([^#\s"]+)"?: (\S+)$/gm);
  return Object.fromEntries([...entries].map((entry) => [entry[1]!, entry[2]!]));
}
