import { registerSecret } from "@codex-js/cli-kit";
import type { Uplink } from "./uplink.ts";

type Credentials = Pick<Uplink, "token" | "basicAuth">;

/** Makes every credential among npm's settings one that no message shows, whichever registry it is for. */
export function registerCredentials(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (/_authToken$/.test(name)) registerSecret(value);
    if (/_auth$/.test(name)) registerBasic(value);
    if (/_password$/.test(name)) for (const text of [value, fromBase64(value)]) registerSecret(text);
    if (/registry$/.test(name)) splitCredentials(value);
  }
}

/** npm looks under the registry's own path first, then under every folder above it. */
export function findCredentials(registry: string, settings: Record<string, string>): Credentials {
  const { host, pathname } = new URL(registry);
  const parts = pathname.split("/").filter((part) => part !== "");
  for (let length = parts.length; length >= 0; length--) {
    const scope = `//${[host, ...parts.slice(0, length)].join("/")}/`;
    const read = (name: string) => settings[`${scope}:${name}`];
    const token = read("_authToken");
    if (token !== undefined) return { token };
    const basicAuth = read("_auth") ?? joinPassword(read("username"), read("_password"));
    if (basicAuth !== undefined) return { basicAuth };
  }
  return {};
}

/** `https://name:token@host/` → the URL without them, and the header that they mean. */
export function splitCredentials(text: string): { url: string } & Credentials {
  if (!URL.canParse(text)) return { url: text };
  const url = new URL(text);
  const [username, password] = [decode(url.username), decode(url.password)];
  if (username === "" && password === "") return { url: text };
  for (const secret of [url.password, password]) registerSecret(secret);
  // Without a password the name may be the token.
  if (password === "") registerSecret(username);
  url.username = "";
  url.password = "";
  return { url: url.href, ...createBasic(username, password) };
}

function joinPassword(username: string | undefined, password: string | undefined): string | undefined {
  if (username === undefined || password === undefined) return undefined;
  return createBasic(username, fromBase64(password)).basicAuth;
}

function createBasic(username: string, password: string): { basicAuth: string } {
  const basicAuth = Buffer.from(`${username}:${password}`).toString("base64");
  registerSecret(basicAuth);
  return { basicAuth };
}

function registerBasic(value: string): void {
  registerSecret(value);
  registerSecret(fromBase64(value).split(":").slice(1).join(":"));
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
