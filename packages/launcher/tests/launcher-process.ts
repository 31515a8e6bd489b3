import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readHost } from "@codex-js/platforms";
import { createTempDir, writeEnginePackage, writePlatformPackage } from "@codex-js/platforms/testing";
import { fakeEngine } from "./fake-engine.ts";

const packageDir = fileURLToPath(new URL("..", import.meta.url));

/** What runs the launcher: the program and its arguments before the script. */
export interface Runtime {
  name: string;
  command: readonly [string, ...string[]];
  /** Whether the launcher becomes the engine here, or has it as a child. */
  replacesProcess: boolean;
  isMissing: boolean;
}

const withoutExecve = fileURLToPath(new URL("without-execve.mjs", import.meta.url));
/** Node.js with the launcher's engine as a child. */
export const childProcessCommand: Runtime["command"] = [
  process.execPath,
  "--import",
  pathToFileURL(withoutExecve).href,
];
const hasBun = spawnSync("bun", ["--version"]).status === 0;

/** Both ways to run the engine, on both kinds of runtime. A name says why it is skipped, where it is. */
export const runtimes: readonly Runtime[] = [
  {
    name: "Node.js, process replaced (skipped where Node.js has no execve)",
    command: [process.execPath],
    replacesProcess: true,
    isMissing: process.platform === "win32" || !("execve" in process),
  },
  {
    name: "Node.js, child process",
    command: childProcessCommand,
    replacesProcess: false,
    isMissing: false,
  },
  {
    name: "Bun, process replaced (skipped without a bun on PATH)",
    command: ["bun"],
    replacesProcess: true,
    isMissing: process.platform === "win32" || !hasBun,
  },
  {
    name: "Bun, child process (skipped without a bun on PATH)",
    command: ["bun", "--preload", withoutExecve],
    replacesProcess: false,
    isMissing: !hasBun,
  },
];

/** The launcher as it is published, in a `node_modules` of its own. */
export interface Installation {
  nodeModules: string;
  /** Path of `codex.js` in it. */
  script: string;
  /** Real path of the folder of `@openai/codex`. */
  packageRoot: string;
}

/** Installs the built launcher; `withEngine: false` leaves the platform package out. */
export function installLauncher({ withEngine = true } = {}): Installation {
  const nodeModules = join(createTempDir(), "node_modules");
  const dir = join(nodeModules, "@codex-js", "cli");
  cpSync(join(packageDir, "dist"), join(dir, "dist"), { recursive: true });
  cpSync(join(packageDir, "package.json"), join(dir, "package.json"));
  writeFileSync(join(nodeModules, ".package-lock.json"), "{}");
  writeFileSync(join(nodeModules, "..", "package.json"), "{}");
  const packageRoot = writeEnginePackage(nodeModules);
  if (withEngine) writePlatformPackage(nodeModules, { host: readHost(), binary: fakeEngine });
  return { nodeModules, script: join(dir, "dist", "codex.js"), packageRoot };
}

/** The launcher of this checkout, which finds the engine that the repository pins. */
export const builtScript = join(packageDir, "dist", "codex.js");

export interface RunOptions {
  input?: Buffer;
  /** Added to a bare environment: only PATH and the home folder come from outside. */
  env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. */
export function run(command: readonly string[], options: RunOptions = {}): SpawnSyncReturns<Buffer> {
  return spawnSync(command[0]!, command.slice(1), {
    input: options.input ?? Buffer.alloc(0),
    env: createEnv(options.env),
    timeout: 30_000,
  });
}

/** Starts a program with stdin closed and stdout as a pipe. */
export function start(command: readonly string[]): ChildProcess {
  return spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "inherit"], env: createEnv() });
}

function createEnv(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP"];
  const base = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  return { ...base, ...added };
}
