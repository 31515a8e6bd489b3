/** What a program needs of the machine; compared without case, as Windows does. */
const keptNames = new Set([
  "PATH",
  "PATHEXT",
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "LANG",
  "LC_ALL",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "NPM_CONFIG_CAFILE",
  "NPM_CONFIG_REGISTRY",
  "NPM_CONFIG_USERCONFIG",
]);

/**
 * The environment of a measured program: nothing of the npm or pnpm that runs this process, of `NODE_OPTIONS`
 * or of any key, so that every side starts alike and the same on every machine.
 */
export function createChildEnv(
  env: NodeJS.ProcessEnv,
  added: Record<string, string> = {},
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && keptNames.has(entry[0].toUpperCase()),
  );
  return {
    ...Object.fromEntries(
      kept.map(([name, value]) => [name.toUpperCase() === "PATH" ? "PATH" : name, value]),
    ),
    ...added,
  };
}
