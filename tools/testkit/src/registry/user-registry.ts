import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, withoutScriptPath } from "@codex-js/cli-kit";
import type { Uplink } from "./uplink.ts";

export interface UserRegistryContext {
  /** Where npm looks for a project's npmrc. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** The keys of `npm config list --json` that matter here; it never lists credentials. */
interface NpmConfig {
  registry: string;
  userconfig?: string | null;
  globalconfig?: string | null;
  cafile?: string | null;
  "strict-ssl"?: boolean;
  proxy?: string | null | false;
  "https-proxy"?: string | null;
  noproxy?: string | string[] | null;
}

/**
 * The registry that this user's npm is configured with, the credentials, certificates and proxies for it
 * included, from npm's own reading of its files and environment.
 * @throws ToolError CODEX_JS_PROCESS_FAILED (external) where npm cannot be run
 */
export async function resolveUserRegistry(context: UserRegistryContext): Promise<Uplink> {
  const config = await readNpmConfig(context);
  const npmrcs = await Promise.all(
    [config.globalconfig, config.userconfig, join(context.cwd, ".npmrc")].map(readNpmrc),
  );
  // npm uses either of the two for any registry, in this order.
  const proxy = config["https-proxy"] || config.proxy;
  const settings = Object.assign({}, ...npmrcs) as Record<string, string>;
  return {
    url: config.registry,
    ...findCredentials(config.registry, settings, context.env),
    ...(config.cafile ? { cafile: config.cafile } : {}),
    ...(config["strict-ssl"] === false ? { strictSsl: false } : {}),
    ...(proxy ? { proxy } : {}),
    ...describeNoProxy(config.noproxy),
  };
}

async function readNpmConfig(context: UserRegistryContext): Promise<NpmConfig> {
  const { stdout } = await runProcess("npm", ["config", "list", "--json"], {
    cwd: context.cwd,
    env: withoutScriptPath(context.env),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
  return JSON.parse(stdout) as NpmConfig;
}

async function readNpmrc(path: string | null | undefined): Promise<Record<string, string>> {
  const text = path ? await readFile(path, "utf8").catch(() => "") : "";
  const settings: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^;#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined) settings[match[1]] = (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2");
  }
  return settings;
}

/** npm looks under the registry's own path first, then under every folder above it. */
function findCredentials(
  registry: string,
  settings: Record<string, string>,
  env: NodeJS.ProcessEnv,
): Pick<Uplink, "token" | "basicAuth"> {
  const { host, pathname } = new URL(registry);
  const parts = pathname.split("/").filter((part) => part !== "");
  for (let length = parts.length; length >= 0; length--) {
    const scope = `//${[host, ...parts.slice(0, length)].join("/")}/`;
    const read = (name: string) => expand(settings[`${scope}:${name}`], env);
    const token = read("_authToken");
    if (token !== undefined) return { token };
    const basicAuth = read("_auth") ?? joinPassword(read("username"), read("_password"));
    if (basicAuth !== undefined) return { basicAuth };
  }
  return {};
}

function joinPassword(username: string | undefined, password: string | undefined): string | undefined {
  if (username === undefined || password === undefined) return undefined;
  const plain = Buffer.from(password, "base64").toString("utf8");
  return Buffer.from(`${username}:${plain}`).toString("base64");
}

function expand(value: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  return value?.replace(/\$\{([^}]+)\}/g, (whole, name: string) => env[name] ?? whole);
}

function describeNoProxy(noproxy: string | string[] | null | undefined): Pick<Uplink, "noProxy"> {
  const text = (Array.isArray(noproxy) ? noproxy : [noproxy ?? ""]).filter((host) => host !== "").join(",");
  return text === "" ? {} : { noProxy: text };
}
