import { exitCodes, ToolError } from "@codex-js/cli-kit";
import {
  listNpmrcs,
  type NpmConfig,
  type NpmContext,
  readNpmConfig,
  readNpmSettings,
} from "./npm-settings.ts";
import { findCredentials, registerCredentials, splitCredentials } from "./registry-credentials.ts";
import type { Uplink } from "./uplink.ts";
import { checkProxy } from "./uplink-route.ts";

export type UserRegistryContext = NpmContext;

/**
 * The registry that this user's npm is configured with and those of single scopes, the credentials,
 * certificates and proxies for them included. No message of this process shows the credentials.
 * @throws ToolError CODEX_JS_REGISTRY_NO_NPM_CONFIG (external), CODEX_JS_REGISTRY_BAD_URL and
 * CODEX_JS_REGISTRY_BAD_PROXY (usage)
 */
export async function resolveUserRegistry(context: UserRegistryContext): Promise<Uplink> {
  const config = await readNpmConfig(context);
  const files = listNpmrcs(config, context.cwd);
  const settings = await readNpmSettings(files, context.env);
  registerCredentials(settings);
  const common = readCommonSettings(config);
  const createUplink = (key: string): Uplink => {
    const { url, ...credentials } = splitCredentials(readRegistryUrl(key, config, settings, files));
    const uplink = { url, ...credentials, ...findCredentials(url, settings), ...common };
    checkProxy(uplink, context.env);
    return uplink;
  };
  const names = [...Object.keys(config), ...Object.keys(settings)];
  const scopes = new Set(names.flatMap((name) => /^(@[^:]+):registry$/.exec(name)?.[1] ?? []));
  return {
    ...createUplink("registry"),
    ...(scopes.size === 0
      ? {}
      : {
          scopes: Object.fromEntries([...scopes].map((scope) => [scope, createUplink(`${scope}:registry`)])),
        }),
  };
}

/** npm lists no URL with credentials in it; then the files have it. */
function readRegistryUrl(
  key: string,
  config: NpmConfig,
  settings: Record<string, string>,
  files: readonly string[],
): string {
  const listed = config[key];
  const url = typeof listed === "string" && URL.canParse(listed) ? listed : settings[key];
  if (url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ToolError({
    code: "CODEX_JS_REGISTRY_BAD_URL",
    message: `npm's setting ${key} is no http or https URL that can be read (looked into the environment, ${files.toReversed().join(", ")})`,
    hint: `npm config set ${key} URL, and the credentials for it apart: //HOST/:_authToken=TOKEN`,
    exitCode: exitCodes.usage,
  });
}

function readCommonSettings(config: NpmConfig): Omit<Uplink, "url"> {
  // npm uses either of the two for any registry, in this order.
  const proxy = config["https-proxy"] || config.proxy;
  return {
    ...(config.cafile ? { cafile: config.cafile } : {}),
    ...(config["strict-ssl"] === false ? { strictSsl: false } : {}),
    ...(proxy ? { proxy } : {}),
    ...describeNoProxy(config.noproxy),
  };
}

function describeNoProxy(noproxy: string | string[] | null | undefined): Pick<Uplink, "noProxy"> {
  const text = (Array.isArray(noproxy) ? noproxy : [noproxy ?? ""]).filter((host) => host !== "").join(",");
  return text === "" ? {} : { noProxy: text };
}
