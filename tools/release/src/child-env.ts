/** Names that a child may inherit, in lower case: environments differ in case between systems. */
const inherited = new Set([
  "path",
  "pathext",
  "home",
  "user",
  "logname",
  "userprofile",
  "homedrive",
  "homepath",
  "appdata",
  "localappdata",
  "programdata",
  "programfiles",
  "programfiles(x86)",
  "systemroot",
  "systemdrive",
  "windir",
  "comspec",
  "tmpdir",
  "temp",
  "tmp",
  "lang",
  "tz",
  "term",
  "ci",
  "no_color",
  "force_color",
  "github_actions",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "node_extra_ca_certs",
  "node_use_system_ca",
  "ssl_cert_file",
  "ssl_cert_dir",
  "pnpm_home",
  "turbo_token",
  "turbo_team",
  "turbo_teamid",
  "turbo_api",
  // How the user's npm reaches the network, where that is set in the environment.
  "npm_config_registry",
  "npm_config_cafile",
  "npm_config_userconfig",
  "npm_config_store_dir",
  "pnpm_config_store_dir",
]);
const inheritedPrefixes = ["lc_", "xdg_", "turbo_remote_cache_"];

/** changesets and npm ask Node to keep compiled code in the temp folder; a release leaves nothing there. */
const noTraces = { NODE_DISABLE_COMPILE_CACHE: "1" };

/**
 * What a child of the release starts with. A run under pnpm or npx carries dozens of `npm_*` variables that
 * would reconfigure every npm below it, a run from a git hook carries `GIT_DIR`: neither passes.
 */
export function createChildEnv(env: NodeJS.ProcessEnv, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(([name]) => {
    const lower = name.toLowerCase();
    return inherited.has(lower) || inheritedPrefixes.some((prefix) => lower.startsWith(prefix));
  });
  return { ...Object.fromEntries(passed), ...noTraces, ...extra };
}
