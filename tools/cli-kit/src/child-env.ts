import { delimiter, sep } from "node:path";

/** What any program needs of the machine, in upper case: Windows compares names without case. */
const machineNames = new Set([
  ..."PATH PATHEXT TMPDIR TEMP TMP LANG TZ TERM NUMBER_OF_PROCESSORS".split(" "),
  ..."SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PROGRAMFILES PROGRAMFILES(X86) PROGRAMDATA".split(" "),
  ..."HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY".split(" "),
  ..."NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR NPM_CONFIG_CAFILE".split(" "),
]);

/** Where programs find what their user has configured, npm and pnpm among them. */
const userNames = new Set([
  ..."HOME USER LOGNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PNPM_HOME".split(" "),
  ..."NPM_CONFIG_REGISTRY NPM_CONFIG_USERCONFIG NPM_CONFIG_GLOBALCONFIG".split(" "),
  ..."NPM_CONFIG_STORE_DIR PNPM_CONFIG_STORE_DIR".split(" "),
  ..."CI NO_COLOR FORCE_COLOR GITHUB_ACTIONS".split(" "),
]);

/**
 * The machine's basics for a child: folders, language, proxies, certificates. Nothing of the user's, and
 * nothing of the npm or pnpm that started this process, which sets dozens of variables that would
 * reconfigure every npm below it.
 */
export function pickMachineEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return pick(env, (name) => machineNames.has(name) || name.startsWith("LC_"));
}

/** The machine's basics and where programs find what their user has configured. */
export function pickUserEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isUsers = (name: string) => userNames.has(name) || name.startsWith("XDG_");
  return { ...pickMachineEnv(env), ...pick(env, isUsers) };
}

/**
 * The same environment without the folders in PATH that package scripts put first. npm finds the
 * machine-wide settings from the place of the Node that runs it: that must be the machine's Node, not the
 * one among this repository's dependencies.
 */
export function withoutScriptPath(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const scripts = `node_modules${sep}.bin`;
  const name = Object.keys(env).find((key) => /^path$/i.test(key)) ?? "PATH";
  const folders = (env[name] ?? "").split(delimiter);
  return {
    ...env,
    [name]: folders.filter((folder) => !stripSlashes(folder).endsWith(scripts)).join(delimiter),
  };
}

/** The same environment with loopback exempt from its proxies: our own servers live there. */
export function withDirectLoopback(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name))) return env;
  const exempt = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  return { ...env, NO_PROXY: exempt, no_proxy: exempt };
}

function pick(env: NodeJS.ProcessEnv, wanted: (name: string) => boolean): NodeJS.ProcessEnv {
  const entries = Object.entries(env).filter(([name]) => wanted(name.toUpperCase()));
  // Windows writes `Path`; children and we look for PATH.
  return Object.fromEntries(entries.map(([name, value]) => [/^path$/i.test(name) ? "PATH" : name, value]));
}

function stripSlashes(folder: string): string {
  return folder.replace(/[\\/]+$/, "");
}
