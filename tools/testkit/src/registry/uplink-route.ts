import { exitCodes, redact, ToolError } from "@codex-js/cli-kit";
import type { Uplink } from "./uplink.ts";

/** The way to an uplink for people, without credentials: its URL, those of its scopes, and the proxy before it. */
export function describeUplink(uplink: Uplink, env: NodeJS.ProcessEnv): string {
  const scopes = Object.entries(uplink.scopes ?? {}).map(
    ([scope, one]) => `${scope} from ${redact(one.url)}`,
  );
  const proxy = findProxy(uplink, env);
  const notes = [...scopes, ...(proxy === undefined ? [] : [`through the proxy ${hideUser(proxy.url)}`])];
  return notes.length === 0 ? redact(uplink.url) : `${redact(uplink.url)} (${notes.join(", ")})`;
}

/** @throws ToolError CODEX_JS_REGISTRY_BAD_PROXY (usage) when the proxy that would be used is no URL */
export function checkProxy(uplink: Uplink, env: NodeJS.ProcessEnv): void {
  const proxy = findProxy(uplink, env);
  if (proxy === undefined || (URL.canParse(proxy.url) && /^(https?|socks\w*):\/\//i.test(proxy.url))) return;
  throw new ToolError({
    code: "CODEX_JS_REGISTRY_BAD_PROXY",
    message: `${proxy.name} is "${hideUser(proxy.url)}", which is no URL of a proxy`,
    hint: `set ${proxy.name} to something like http://proxy.example:8080, or unset it`,
    exitCode: exitCodes.usage,
  });
}

interface Proxy {
  url: string;
  /** Where it is configured. */
  name: string;
}

function findProxy(uplink: Uplink, env: NodeJS.ProcessEnv): Proxy | undefined {
  const { protocol, hostname } = new URL(uplink.url);
  if (isExempt(hostname, uplink.noProxy ?? env.no_proxy ?? env.NO_PROXY ?? "")) return undefined;
  if (uplink.proxy !== undefined) return { url: uplink.proxy, name: "npm's https-proxy" };
  const names = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const name = names.find((one) => (env[one] ?? "") !== "");
  return name === undefined ? undefined : { url: env[name]!, name };
}

function isExempt(hostname: string, noProxy: string): boolean {
  const suffixes = noProxy.split(",").map((suffix) => suffix.trim().replace(/^\./, ""));
  return suffixes.some(
    (suffix) => suffix === "*" || (suffix !== "" && `.${hostname}`.endsWith(`.${suffix}`)),
  );
}

/** A proxy that is no URL may have a name and password all the same. */
function hideUser(proxy: string): string {
  return redact(proxy.replace(/^(\w+:\/\/)?.*@/, "$1***@"));
}
