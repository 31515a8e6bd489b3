import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { CodexOptions } from "../options.ts";

export const originatorVariable = "CODEX_INTERNAL_ORIGINATOR_OVERRIDE";

/**
 * The engine's whole environment.
 * @param inherited - taken where `options.env` is not given, usually `process.env`
 * @param pathDirs - go in front of PATH
 */
export function createEnvironment(
  options: Pick<CodexOptions, "env" | "apiKey">,
  pathDirs: string[],
  inherited: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env ?? inherited)) {
    if (value !== undefined) env[name] = value;
  }
  // Which client asked, as OpenAI's own SDK says it: the service knows no other name for this API.
  env[originatorVariable] ||= "codex_sdk_ts";
  if (options.apiKey) env.CODEX_API_KEY = options.apiKey;
  if (pathDirs.length > 0) prependPath(env, pathDirs, platform);
  return env;
}

/** Where an engine with this environment keeps its login, its configuration and its threads. */
export function findCodexHome(env: Readonly<Record<string, string | undefined>>): string {
  return env.CODEX_HOME || join(env.HOME || homedir(), ".codex");
}

function prependPath(env: Record<string, string>, dirs: string[], platform: NodeJS.Platform): void {
  const names = platform === "win32" ? Object.keys(env).filter((name) => name.toUpperCase() === "PATH") : [];
  // Windows ignores case: several spellings would be one variable, and which value wins is not defined.
  const name = names.includes("Path") ? "Path" : (names.at(-1) ?? "PATH");
  const entries = (env[name] ?? "").split(delimiter).filter((entry) => entry !== "" && !dirs.includes(entry));
  for (const other of names) if (other !== name) delete env[other];
  env[name] = [...dirs, ...entries].join(delimiter);
}
