import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitCodes, runProcess, ToolError, withoutScriptPath } from "@codex-js/cli-kit";

export interface NpmContext {
  /** Where npm looks for a project's npmrc. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** The keys of `npm config list --json` that matter here; it leaves out what holds credentials. */
export interface NpmConfig {
  /** Absent where the URL has credentials in it. */
  registry?: string;
  userconfig?: string | null;
  globalconfig?: string | null;
  cafile?: string | null;
  "strict-ssl"?: boolean;
  proxy?: string | null | false;
  "https-proxy"?: string | null;
  noproxy?: string | string[] | null;
  [key: string]: unknown;
}

/**
 * npm's own reading of its files and environment.
 * @throws ToolError CODEX_JS_REGISTRY_NO_NPM_CONFIG (external)
 */
export async function readNpmConfig(context: NpmContext): Promise<NpmConfig> {
  const { stdout } = await runProcess("npm", ["config", "list", "--json"], {
    cwd: context.cwd,
    // npm would leave its compiled code in the temp folder.
    env: { ...withoutScriptPath(context.env), NODE_DISABLE_COMPILE_CACHE: "1" },
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  }).catch((cause: unknown) => {
    context.signal?.throwIfAborted();
    throw new ToolError({
      code: "CODEX_JS_REGISTRY_NO_NPM_CONFIG",
      message: "npm did not say which registry it is configured with",
      hint: "see that `npm config list` works, or mend your npmrc",
      exitCode: exitCodes.external,
      cause,
    });
  });
  return JSON.parse(stdout) as NpmConfig;
}

/** The files that npm reads settings from, the one that decides last. */
export function listNpmrcs(config: NpmConfig, cwd: string): string[] {
  const paths = [config.globalconfig, config.userconfig, join(findProject(cwd), ".npmrc")];
  return paths.filter((path) => typeof path === "string");
}

/** As npm does it: the nearest folder, at or above, that holds a package; `cwd` without one. */
function findProject(cwd: string): string {
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (["package.json", "node_modules"].some((name) => existsSync(join(dir, name)))) return dir;
    if (dirname(dir) === dir) return cwd;
  }
}

/** What `npm config list` keeps to itself, from where npm has it: its files, and before them the environment. */
export async function readNpmSettings(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  const read = await Promise.all(files.map(readNpmrc));
  const settings = { ...(Object.assign({}, ...read) as Record<string, string>), ...readEnvSettings(env) };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, expand(value, env)]));
}

async function readNpmrc(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const settings: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^;#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined) settings[match[1]] = (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2");
  }
  return settings;
}

function readEnvSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const key = /^npm_config_(.+)$/i.exec(name)?.[1];
      if (key === undefined || value === undefined || value === "") return [];
      return [[key.startsWith("//") ? key : key.toLowerCase(), value]];
    }),
  );
}

function expand(value: string, env: NodeJS.ProcessEnv): string {
  return value.replace(/\$\{([^}]+)\}/g, (whole, name: string) => env[name] ?? whole);
}
