import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliContext, registerSecret, resolveUserPath } from "@codex-js/cli-kit";
import type { LockedAsset } from "../lock/lock-schema.ts";
import type { V8Lock } from "../lock/read-lock.ts";
import { v8Error } from "../v8-error.ts";

/** A folder, or a URL that ends with a slash: files lie below it by their `path`. */
export type SourceBase = { type: "folder"; dir: string } | { type: "url"; url: URL; authorization?: string };

/** Where one file is. */
export type AssetLocation =
  | { type: "file"; path: string; dir: string }
  | { type: "url"; url: URL; authorization?: string };

/**
 * The mirror that is named: the flag's, else `CODEX_JS_V8_MIRROR`'s. Undefined for none.
 * @throws ToolError CODEX_JS_V8_MIRROR (usage)
 */
export function resolveMirror(
  { cwd, env }: Pick<CliContext, "cwd" | "env">,
  flag?: string,
): SourceBase | undefined {
  if (flag !== undefined) return parseMirror(cwd, "--mirror", flag);
  const { CODEX_JS_V8_MIRROR: variable } = env;
  return variable ? parseMirror(cwd, "CODEX_JS_V8_MIRROR", variable) : undefined;
}

/** Where the lock itself says that its files are. */
function resolveOrigin(lock: V8Lock): SourceBase {
  if (/^https?:/.test(lock.baseUrl)) return { type: "url", url: new URL(lock.baseUrl) };
  return { type: "folder", dir: resolve(dirname(lock.file), lock.baseUrl) };
}

/** An asset's own `url` counts where no mirror is named. */
export function locateAsset(asset: LockedAsset, lock: V8Lock, mirror: SourceBase | undefined): AssetLocation {
  if (mirror === undefined && asset.url !== undefined) return { type: "url", url: new URL(asset.url) };
  return locateBelow(mirror ?? resolveOrigin(lock), asset.path);
}

export function locateBelow(base: SourceBase, path: string): AssetLocation {
  if (base.type === "folder") return { type: "file", path: join(base.dir, path), dir: base.dir };
  return { ...base, url: new URL(path, base.url) };
}

function parseMirror(cwd: string, name: string, value: string): SourceBase {
  // `C:\mirror` is a path; no scheme of interest has one letter.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(value)) return { type: "folder", dir: resolveUserPath(cwd, name, value) };
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "file:") return { type: "folder", dir: fileURLToPath(url) };
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw v8Error(
      "CODEX_JS_V8_MIRROR",
      `${name} ${value} is neither a folder nor an http(s) URL without a query`,
      {
        hint: `${name} https://HOST/FOLDER/, or ${name} DIR`,
      },
    );
  }
  return withCredentials(url);
}

/** Credentials go into a header, where no message shows them. */
function withCredentials(url: URL): SourceBase {
  const base = new URL(url);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  if (base.username === "" && base.password === "") return { type: "url", url: base };
  const [user, password] = [base.username, base.password].map(decodeURIComponent);
  if (password) registerSecret(password);
  base.username = base.password = "";
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return { type: "url", url: base, authorization };
}
