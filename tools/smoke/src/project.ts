import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChildResult, type CliContext, runProcess } from "@codex-js/cli-kit";
import { createProjectEnv } from "./child-env.ts";
import type { Runtime } from "./runtime-store.ts";

/** An empty project and an empty home, and how a stranger runs programs in them. */
export interface Project {
  /** Holds package.json and node_modules. */
  dir: string;
  home: string;
  run(file: string, args: readonly string[], options?: ProjectRunOptions): Promise<ChildResult>;
  /** Runs the runtime itself. */
  runRuntime(args: readonly string[], options?: ProjectRunOptions): Promise<ChildResult>;
  /** Copies a file of fixtures/ into the project and returns its path there. */
  copyFixture(name: string): Promise<string>;
  /** A new folder of the project's own, outside its package. */
  createFolder(name: string): Promise<string>;
  readManifest(packageName: string): Promise<InstalledManifest>;
}

interface ProjectRunOptions {
  /** Default: the project's folder. */
  cwd?: string;
  /** Added to the cleaned environment. */
  env?: Record<string, string>;
  /** Default 120,000. */
  timeoutMs?: number;
  okExitCodes?: readonly number[] | "any";
}

/** The part of an installed package.json that is used here. */
export interface InstalledManifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const fixturesDir = join(dirname(dirname(fileURLToPath(import.meta.url))), "fixtures");

/** Makes `rootDir` anew; what an earlier run has left there is removed. */
export async function createProject(
  rootDir: string,
  runtime: Runtime,
  context: Pick<CliContext, "env" | "signal">,
): Promise<Project> {
  await removeFolder(rootDir);
  const dir = join(rootDir, "project");
  const home = join(rootDir, "home");
  await Promise.all([dir, home].map((folder) => mkdir(folder, { recursive: true })));
  const manifest = { name: "smoke", version: "0.0.0", private: true, type: "module" };
  await writeFile(join(dir, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

  const env = createProjectEnv(context.env, { home, path: [dirname(runtime.executable)] });
  const run: Project["run"] = (file, args, options = {}) =>
    runProcess(file, args, {
      cwd: options.cwd ?? dir,
      env: { ...env, ...options.env },
      signal: context.signal,
      timeoutMs: options.timeoutMs ?? 120_000,
      okExitCodes: options.okExitCodes ?? [0],
    });
  return {
    dir,
    home,
    run,
    runRuntime: (args, options) => run(runtime.executable, args, options),
    copyFixture: async (name) => {
      await copyFile(join(fixturesDir, name), join(dir, name));
      return join(dir, name);
    },
    createFolder: async (name) => {
      const folder = join(rootDir, name);
      await mkdir(folder, { recursive: true });
      return folder;
    },
    readManifest: async (packageName) =>
      JSON.parse(await readFile(join(dir, "node_modules", packageName, "package.json"), "utf8")),
  };
}

export async function removeFolder(dir: string): Promise<void> {
  // Windows keeps a just-exited child's files locked for a moment.
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
