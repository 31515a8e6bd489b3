import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Installation } from "./installation.ts";

/** What made the package manager leave optional packages out, in words that name the place; undefined if unknown. */
export function findOmitSetting(installation: Installation, env: NodeJS.ProcessEnv): string | undefined {
  return (
    findInEnvironment(env) ??
    findInFile(
      join(installation.root, ".npmrc"),
      /^\s*(omit(\[\])?\s*=.*\boptional\b|optional\s*=\s*false)/m,
    ) ??
    findInFile(join(homedir(), ".npmrc"), /^\s*(omit(\[\])?\s*=.*\boptional\b|optional\s*=\s*false)/m) ??
    findInFile(join(installation.root, "bunfig.toml"), /^\s*optional\s*=\s*false/m) ??
    findInFile(join(installation.root, "pnpm-workspace.yaml"), /^\s*optional\s*:\s*false/m)
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
  if (env.npm_config_omit?.includes("optional")) return "npm_config_omit from the environment";
  if (env.npm_config_optional === "false") return "npm_config_optional from the environment";
  return undefined;
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
