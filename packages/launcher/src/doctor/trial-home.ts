import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { ConfigFile } from "./config-file.ts";
import { formatKeyPath, formatValue, isBareKey } from "./toml-literal.ts";

/** A CODEX_HOME that measurements may write to, with a copy of the user's configuration in it. */
export interface TrialHome {
  dir: string;
  /** Puts the copy back as it was: the engine writes to its config.toml now and then. */
  reset(): void;
  remove(): void;
}

const largestCopiedBytes = 1024 * 1024;

/**
 * Of the user's folder only config.toml is copied, and the files in that folder which it names by relative
 * paths (instructions, a model catalog). `auth.json` never is.
 */
export function createTrialHome(config: ConfigFile): TrialHome {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "codex-js-doctor-")));
  const reset = () => writeFileSync(join(dir, "config.toml"), config.text ?? "", { mode: 0o600 });
  reset();
  const userHome = dirname(config.path);
  for (const path of listStrings(config.value)) copyNamedFile(userHome, path, dir);
  return {
    dir,
    reset,
    // A server that was just killed may still hold a file for a moment.
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/**
 * The settings that lead every measurement to the loopback model and away from what is the user's: the
 * stored logins (also those in the system's keyring), databases, logs, and the programs that tell them or
 * others about a turn. No login shell is started either: its startup files take locks (pyenv does), which
 * stay where it is killed. Plugins are off, because the copied folder has none and the engine would download
 * them each time.
 */
export function createTrialOverrides(dir: string, baseUrl: string): string[] {
  const provider = {
    name: "codex-js doctor",
    base_url: baseUrl,
    wire_api: "responses",
    requires_openai_auth: false,
    request_max_retries: 0,
    stream_max_retries: 0,
  };
  return Object.entries({
    model_provider: "codex_js_doctor",
    "model_providers.codex_js_doctor": provider,
    cli_auth_credentials_store: "ephemeral",
    mcp_oauth_credentials_store: "file",
    sqlite_home: dir,
    log_dir: join(dir, "log"),
    notify: [],
    "features.plugins": false,
    "features.hooks": false,
    "features.shell_snapshot": false,
  }).map(([key, value]) => `${key}=${formatValue(value)}`);
}

/**
 * A profile as overrides, since the app-server takes no `--profile`. A table whose keys an override cannot
 * name becomes one value, which replaces the table.
 */
export function createProfileOverrides({ value }: ConfigFile): string[] {
  return flatten([], value).map(([path, one]) => `${formatKeyPath(path)}=${formatValue(one)}`);
}

function flatten(path: string[], value: unknown): [string[], unknown][] {
  const isTable =
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
  if (!isTable) return [[path, value]];
  const entries = Object.entries(value);
  if (path.length > 0 && (entries.length === 0 || !entries.every(([key]) => isBareKey(key))))
    return [[path, value]];
  return entries.flatMap(([key, one]) => flatten([...path, key], one));
}

/** The environment of an engine that is measured. Tokens have no place in it. */
export function createTrialEnv(env: NodeJS.ProcessEnv, dir: string): NodeJS.ProcessEnv {
  const left = new Set(["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "CODEX_SQLITE_HOME"]);
  const kept = Object.entries(env).filter(([name]) => !left.has(name.toUpperCase()));
  const exempt = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1"].filter(Boolean).join(",");
  return { ...Object.fromEntries(kept), CODEX_HOME: dir, NO_PROXY: exempt, no_proxy: exempt };
}

function copyNamedFile(from: string, path: string, to: string): void {
  if (path === "" || path.length > 500 || isAbsolute(path) || path.includes("\0")) return;
  const source = join(from, path);
  const inside = relative(from, source);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return;
  if (/^(auth\.json|config\.toml)$/i.test(basename(inside))) return;
  const stat = statSync(source, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > largestCopiedBytes) return;
  mkdirSync(dirname(join(to, inside)), { recursive: true });
  copyFileSync(source, join(to, inside));
}

function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}
