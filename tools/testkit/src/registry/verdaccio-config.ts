import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Uplink } from "./uplink.ts";

export interface VerdaccioConfigOptions {
  storageDir: string;
  uplink: Uplink | null;
  localScopes: readonly string[];
}

/** verdaccio's warnings and errors since the last start, in the storage folder. */
export const logFileName = ".registry.log";

const everybody = "$all";

/** verdaccio's configuration, as plain data: it goes to a worker. */
export function createVerdaccioConfig({ storageDir, uplink, localScopes }: VerdaccioConfigOptions) {
  const rights = { access: [everybody], publish: [everybody], unpublish: [everybody] };
  const from = (uplinkName: string) => ({ ...rights, proxy: [uplinkName] });
  const scopes = Object.entries(uplink?.scopes ?? {});
  return {
    storage: storageDir,
    // Relative paths in a configuration start at its file; there is none, and no relative path either.
    self_path: join(storageDir, "config.yaml"),
    configPath: join(storageDir, "config.yaml"),
    // No plugin that knows users: everybody is anonymous and `$all` covers them, whatever token they send.
    auth: {},
    security: { api: { legacy: false, jwt: { sign: { expiresIn: "1d" } } } },
    uplinks: {
      ...(uplink === null ? {} : { uplink: createUplinkConfig(uplink) }),
      ...Object.fromEntries(scopes.map(([scope, one]) => [nameUplink(scope), createUplinkConfig(one)])),
    },
    // The first pattern that fits decides.
    packages: {
      ...Object.fromEntries(localScopes.map((pattern) => [pattern, rights])),
      ...Object.fromEntries(scopes.map(([scope]) => [`${scope}/*`, from(nameUplink(scope))])),
      "**": uplink === null ? rights : from("uplink"),
    },
    // A package that is new here may be published while the uplink cannot be asked whether it knows it.
    publish: { allow_offline: true },
    web: { enable: false },
    middlewares: {},
    max_body_size: "500mb",
    log: { type: "file", path: join(storageDir, logFileName), format: "json", level: "warn", sync: true },
  };
}

function nameUplink(scope: string): string {
  return `uplink-of-${scope.slice(1)}`;
}

function createUplinkConfig(uplink: Uplink) {
  return {
    url: uplink.url.replace(/\/+$/, ""),
    cache: true,
    // Silence on the connection, not the length of a download.
    timeout: "60s",
    // Never "offline for a while" after failures: each request says for itself what the uplink answered.
    max_fails: 1_000_000,
    fail_timeout: "0s",
    maxage: "30m",
    strict_ssl: uplink.strictSsl ?? true,
    agent_options: { keepAlive: true, maxSockets: 40, maxFreeSockets: 10 },
    ...createUplinkAuth(uplink),
    ...readCertificates(uplink.cafile),
    ...(uplink.proxy === undefined ? {} : { http_proxy: uplink.proxy, https_proxy: uplink.proxy }),
    ...(uplink.noProxy === undefined ? {} : { no_proxy: uplink.noProxy }),
  };
}

function createUplinkAuth({ token, basicAuth }: Uplink) {
  if (token !== undefined) return { auth: { type: "bearer", token } };
  return basicAuth === undefined ? {} : { auth: { type: "basic", token: basicAuth } };
}

/** As npm does it: a file that is not there means Node's own certificates. */
function readCertificates(cafile: string | undefined) {
  return cafile !== undefined && existsSync(cafile) ? { ca: readFileSync(cafile, "utf8") } : {};
}
