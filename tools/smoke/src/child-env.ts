import { delimiter, sep } from "node:path";

/** What a program needs of the machine; compared without case, as Windows does. */
const machineNames = new Set([
  "PATH",
  "PATHEXT",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PROGRAMFILES",
  "PROGRAMDATA",
  "NUMBER_OF_PROCESSORS",
  "LANG",
  "LC_ALL",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NPM_CONFIG_CAFILE",
]);

/** Where npm finds what its user has configured. */
const userNames = new Set([
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "NPM_CONFIG_REGISTRY",
  "NPM_CONFIG_USERCONFIG",
  "NPM_CONFIG_GLOBALCONFIG",
]);

export interface ProjectEnvOptions {
  /** Absolute; the only home that the child knows. */
  home: string;
  /** Folders that come before the machine's PATH. */
  path?: readonly string[];
}

/**
 * The environment of a stranger's shell: the machine's basics, an empty home, and nothing of the npm or
 * pnpm that runs this process, of the user's npm settings, or of any key.
 */
export function createProjectEnv(env: NodeJS.ProcessEnv, options: ProjectEnvOptions): NodeJS.ProcessEnv {
  const kept = keep(env, (name) => machineNames.has(name));
  const path = [...(options.path ?? []), kept.PATH].filter((part) => part !== undefined && part !== "");
  return {
    ...kept,
    PATH: path.join(delimiter),
    HOME: options.home,
    USERPROFILE: options.home,
    APPDATA: options.home,
    LOCALAPPDATA: options.home,
    ...withoutProxyForLoopback(kept),
  };
}

/**
 * The environment for the machine's npm when it fetches a runtime: its user's settings, nothing of pnpm. npm
 * finds the machine-wide settings from the place of the Node that runs it, so that must be the machine's too,
 * not the one among this repository's dependencies, which scripts have first in their PATH.
 */
export function createDownloadEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = keep(env, (name) => machineNames.has(name) || userNames.has(name));
  const folders = (kept.PATH ?? "").split(delimiter);
  const isOurs = (folder: string) => folder.replace(/[\\/]+$/, "").endsWith(`node_modules${sep}.bin`);
  return { ...kept, PATH: folders.filter((folder) => !isOurs(folder)).join(delimiter) };
}

function keep(env: NodeJS.ProcessEnv, wanted: (name: string) => boolean): NodeJS.ProcessEnv {
  const entries = Object.entries(env).filter(([name]) => wanted(name.toUpperCase()));
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toUpperCase() === "PATH" ? "PATH" : name, value]),
  );
}

/** The registry and the mock model may live on loopback, which no proxy reaches. */
function withoutProxyForLoopback(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const noProxy = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  const hasProxy = Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name));
  return hasProxy ? { NO_PROXY: noProxy, no_proxy: noProxy } : {};
}
