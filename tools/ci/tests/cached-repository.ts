import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  findWorkspaceRoot,
  pickMachineEnv,
  runNode,
  runProcess,
  withDirectLoopback,
} from "@codex-js/cli-kit";

const root = findWorkspaceRoot(import.meta.dirname);

/** Where the outcome of a task came from. */
type CacheSource = "built" | "local" | "remote";

export interface Build {
  /** Warnings, each once, without what is different each time: port and hash. */
  warnings: string[];
  /** By package. */
  sources: Record<string, CacheSource>;
}

/**
 * A git repository with this repository's own turbo.json, and small packages of the names that stand in it: what is
 * tested is how tasks are really configured, without minutes of building.
 * @param remoteCache turbo.json's key of that name, in place of this repository's
 * @returns the packages' names
 */
export async function createRepository(dir: string, remoteCache: object = {}): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  for (const name of ["tsconfig.base.json", ".gitignore"]) await copyFile(join(root, name), join(dir, name));
  const turbo = JSON.parse(await readFile(join(root, "turbo.json"), "utf8")) as object;
  const names = await readPackageNames();
  await writeFiles(dir, {
    "turbo.json": { ...turbo, remoteCache },
    // npm, because it comes with Node: what runs the scripts is nothing to the cache.
    "package.json": {
      name: "cached",
      private: true,
      packageManager: "npm@11.0.0",
      workspaces: ["packages/*"],
    },
    "package-lock.json": { name: "cached", lockfileVersion: 3, requires: true, packages: {} },
    ...Object.fromEntries(names.map((name) => [`${folderOf(name)}/package.json`, describePackage(name)])),
    ...Object.fromEntries(names.map((name) => [`${folderOf(name)}/src/index.ts`, `// ${name}\n`])),
  });
  await git(dir, ["init", "--quiet", "--initial-branch=main", "."]);
  await git(dir, ["add", "."]);
  await git(dir, ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "all"]);
  return names;
}

/** A clone that has nothing but what is in git. */
export async function cloneRepository(from: string, to: string): Promise<string> {
  await git(dirname(to), ["clone", "--quiet", from, to]);
  return to;
}

/**
 * `turbo run build`, with nothing of the user's environment but what is given.
 * @throws ToolError CODEX_JS_PROCESS_FAILED (external)
 */
export async function build(dir: string, env: NodeJS.ProcessEnv): Promise<Build> {
  const turbo = createRequire(import.meta.url).resolve("turbo/bin/turbo");
  const { stdout, stderr } = await runNode(turbo, ["run", "build", "--summarize", "--no-color"], {
    cwd: dir,
    env: {
      ...withDirectLoopback(pickMachineEnv(process.env)),
      // turbo looks there for a login.
      HOME: dir,
      XDG_CONFIG_HOME: join(dir, ".config"),
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      // Else it warns that the repository has no turbo of its own.
      TURBO_GLOBAL_WARNING_DISABLED: "1",
      ...env,
    },
  });
  return { warnings: readWarnings(`${stdout}\n${stderr}`), sources: await readSources(dir) };
}

function readWarnings(output: string): string[] {
  const warnings = [...output.matchAll(/^\s*WARNING\s+(.+)$/gm)].map(([, text]) => text!.trim());
  return [...new Set(warnings.map((text) => text.replace(/ for url .+$/, "")))];
}

/** What the built package left behind. */
export function readBuilt(dir: string, name: string): Promise<string> {
  return readFile(join(dir, folderOf(name), "dist", "index.js"), "utf8");
}

interface Summary {
  tasks: { taskId: string; cache: { local: boolean; remote: boolean; status: string } }[];
}

async function readSources(dir: string): Promise<Record<string, CacheSource>> {
  const runs = join(dir, ".turbo", "runs");
  const [newest] = (await readdir(runs)).sort().reverse();
  const { tasks } = JSON.parse(await readFile(join(runs, newest!), "utf8")) as Summary;
  const source = ({ cache }: Summary["tasks"][number]): CacheSource => {
    if (cache.status !== "HIT") return "built";
    return cache.local ? "local" : "remote";
  };
  return Object.fromEntries(tasks.map((task) => [task.taskId.replace(/#build$/, ""), source(task)]));
}

/** turbo refuses a configuration that names a package which is not there. */
async function readPackageNames(): Promise<string[]> {
  const text = await readFile(join(root, "turbo.json"), "utf8");
  return [...new Set([...text.matchAll(/"(@codex-js\/[\w-]+)#/g)].map(([, name]) => name!))].sort();
}

function describePackage(name: string): object {
  const write = `require("node:fs").mkdirSync("dist", { recursive: true });
require("node:fs").writeFileSync("dist/index.js", "built " + process.env.npm_package_name);`;
  return {
    name,
    version: "0.0.0",
    private: true,
    scripts: { build: `node -e ${JSON.stringify(write.replaceAll("\n", " ").replaceAll('"', "'"))}` },
  };
}

function folderOf(name: string): string {
  return `packages/${name.split("/")[1]}`;
}

async function writeFiles(dir: string, files: Record<string, string | object>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), typeof content === "string" ? content : JSON.stringify(content));
  }
}

async function git(cwd: string, args: readonly string[]): Promise<void> {
  await runProcess("git", args, { cwd, env: pickMachineEnv(process.env) });
}
