import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTempDir } from "@codex-js/platforms/testing";

const builtDoctor = fileURLToPath(new URL("../../dist/codex-js.js", import.meta.url));
const stubbornServer = fileURLToPath(new URL("stubborn-server.mjs", import.meta.url));

/** A user with a configuration of their own, who can reach nothing but this machine. */
export interface User {
  codexHome: string;
  configPath: string;
  /** Where the doctor may put its files. */
  tempDir: string;
  env: NodeJS.ProcessEnv;
  readConfig(): string;
  listHome(): string[];
}

/** Undefined `config`: a user without config.toml. `env` is added to a bare one. */
export function createUser(config: string | undefined, env: NodeJS.ProcessEnv = {}): User {
  const root = createTempDir();
  const [codexHome, tempDir] = ["codex", "tmp"].map((name) => join(root, name)) as [string, string];
  for (const dir of [codexHome, tempDir]) mkdirSync(dir);
  const configPath = join(codexHome, "config.toml");
  if (config !== undefined) writeFileSync(configPath, config);
  // Nobody listens on the discard port: what wants to leave the machine fails at once.
  const nowhere = { HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
  const kept = ["PATH", "SystemRoot"].map((name) => [name, process.env[name]]);
  return {
    codexHome,
    configPath,
    tempDir,
    env: {
      ...Object.fromEntries(kept),
      HOME: root,
      USERPROFILE: root,
      TMPDIR: tempDir,
      TEMP: tempDir,
      TMP: tempDir,
      CODEX_HOME: codexHome,
      ...nowhere,
      ...env,
    },
    readConfig: () => readFileSync(configPath, "utf8"),
    listHome: () => readdirSync(codexHome).sort(),
  };
}

export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the built `codex-js`, on Node.js unless `command` names another runtime. */
export function startDoctor(
  user: User,
  args: readonly string[],
  command: readonly string[] = [process.execPath],
) {
  const child = spawn(command[0]!, [...command.slice(1), builtDoctor, ...args], {
    cwd: user.tempDir,
    env: user.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, outcome: readOutcome(child) };
}

export function runDoctor(
  user: User,
  args: readonly string[],
  command?: readonly string[],
): Promise<Outcome> {
  return startDoctor(user, ["doctor", ...args], command).outcome;
}

async function readOutcome(child: ChildProcess): Promise<Outcome> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const [exitCode] = await once(child, "close");
  return { exitCode, ...texts };
}

export interface ServerOptions {
  /** How long it stays after SIGTERM and the end of its input. */
  stopMs?: number;
  /** Never answers anything. */
  silent?: boolean;
  /** Every start appends the pid to this file. */
  pidFile?: string;
  /** Starts it through a shell, as npx and uvx do. */
  wrapped?: boolean;
  required?: boolean;
}

/** The table of an MCP server for config.toml. */
export function createServerToml(name: string, options: ServerOptions = {}): string {
  const { stopMs = 0, silent = false, pidFile = "", wrapped = false, required = false } = options;
  const command = [process.execPath, stubbornServer, String(stopMs), String(silent), pidFile];
  // The `true` keeps the shell from becoming the server.
  const line = `${command.map((part) => `'${part}'`).join(" ")}; true`;
  const [program, ...args] = wrapped ? ["sh", "-c", line] : command;
  return [
    `[mcp_servers.${name}]`,
    `command = ${JSON.stringify(program)}`,
    `args = ${JSON.stringify(args)}`,
    ...(required ? ["required = true"] : []),
    "",
  ].join("\n");
}

export function readPids(file: string): number[] {
  return readFileSync(file, "utf8").trim().split("\n").map(Number);
}

export const hasBun = spawnSync("bun", ["--version"]).status === 0;
