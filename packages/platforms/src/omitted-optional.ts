import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Installation } from "./installation.ts";

const npmSetting = /^\s*(omit(\[\])?\s*=.*\boptional\b|optional\s*=\s*false)/m;

/**
 * What made the package manager leave optional packages out, in words that name the place; undefined if
 * unknown. Files go first: npm hands the settings that it has read from them to its children as variables,
 * which nobody has set and nobody could remove.
 */
export function findOmitSetting(installation: Installation, env: NodeJS.ProcessEnv): string | undefined {
  const { root } = installation;
  const find = (path: string | undefined, pattern: RegExp) =>
    path === undefined ? undefined : findInFile(path, pattern);
  return (
    find(join(root, ".npmrc"), npmSetting) ??
    find(readVariable(env, "npm_config_userconfig") ?? join(homedir(), ".npmrc"), npmSetting) ??
    find(readVariable(env, "npm_config_globalconfig"), npmSetting) ??
    find(join(root, "bunfig.toml"), /^\s*optional\s*=\s*false/m) ??
    find(join(root, "pnpm-workspace.yaml"), /^\s*optional\s*:\s*false/m) ??
    findInEnvironment(env)
  );
}

/**
 * True when npm's lock file lists engine packages of other platforms and not `wanted`. npm writes such a
 * file where node_modules was there before the lock file, and then never adds what is missing:
 * https://github.com/npm/cli/issues/4828
 */
export function isMissingFromNpmLock(installation: Installation, wanted: string, others: string[]): boolean {
  const lock = readText(join(installation.root, "package-lock.json"));
  const lists = (name: string) => lock?.includes(`node_modules/${name}":`) === true;
  return !lists(wanted) && others.some(lists);
}

function findInEnvironment(env: NodeJS.ProcessEnv): string | undefined {
  const name = readVariable(env, "npm_config_omit")?.includes("optional")
    ? "npm_config_omit"
    : readVariable(env, "npm_config_optional") === "false" && "npm_config_optional";
  if (!name) return undefined;
  // Below npm the variable may be what an option of its command line has become.
  const option = name === "npm_config_omit" ? "--omit=optional" : "--no-optional";
  const isBelowNpm = env.npm_command !== undefined;
  return `${name} from the environment${isBelowNpm ? `, or ${option} from npm's command line` : ""}`;
}

/** npm takes its variables in either case. */
function readVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name] ?? env[name.toUpperCase()];
}

function findInFile(path: string, pattern: RegExp): string | undefined {
  const line = readText(path)?.match(pattern)?.[0];
  return line === undefined ? undefined : `"${line.trim()}" from ${path}`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
