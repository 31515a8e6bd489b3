import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { checkNumbers, checkText } from "../check-options.ts";
import type { ClientBehaviour } from "../client/options.ts";
import { CodexError } from "../errors.ts";
import { config, createClientConfig } from "../exec/arguments.ts";
import { createEnvironment, originatorVariable } from "../exec/environment.ts";
import { resolveEngine } from "../exec/find-installed-engine.ts";
import type { CodexOptions, ConnectOptions, SharedCodexOptions } from "../options.ts";
import { collectSecrets } from "../redact.ts";
import { AppServerClient, type StdioClientOptions } from "./client.ts";
import type { Introduction } from "./connection.ts";

/** A client with an engine of its own. */
export function openOwn(
  options: CodexOptions,
  open: ClientBehaviour & Pick<StdioClientOptions, "closeLadder" | "startTimeoutMs">,
): AppServerClient {
  checkNumbers(open);
  const { executablePath, env } = resolveCommand(options);
  const apiKey = env.CODEX_API_KEY;
  return AppServerClient.overStdio({
    ...open,
    secrets: collectSecrets(options, env),
    command: () => ({
      file: executablePath,
      args: [
        ...createArguments(options),
        // The key is this program's and not the user's: it must not become their stored login.
        ...(apiKey ? config('cli_auth_credentials_store="ephemeral"') : []),
      ],
      env,
    }),
    introduction: introduce(open, env[originatorVariable]),
    prepare: async (connection) => {
      if (apiKey) await connection.request("account/login/start", { type: "apiKey", apiKey });
    },
  });
}

/**
 * A client of the shared server.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID for an `apiKey`
 */
export function openShared(options: SharedCodexOptions, open: ClientBehaviour): AppServerClient {
  checkNumbers({ ...open, ...options });
  if ((options as CodexOptions).apiKey !== undefined) {
    throw new CodexError(
      "CODEX_JS_SDK_CONFIG_INVALID",
      "a shared engine has one login for all programs: no apiKey",
      {
        hint: "log in once with `codex login`, or use new Codex({ apiKey }), which has an engine of its own",
      },
    );
  }
  const { executablePath, env, packageRoot } = resolveCommand(options);
  const secrets = collectSecrets(options, env);
  // Whoever joins later would go on under the key of whoever happened to be first.
  delete env.CODEX_API_KEY;
  const command = { file: executablePath, args: createArguments(options), env };
  return AppServerClient.overShared({
    ...open,
    ...options,
    secrets,
    command: () => command,
    ...(packageRoot === undefined ? {} : { engineVersion: readVersion(packageRoot) }),
    introduction: introduce(open, env[originatorVariable]),
  });
}

/** A client of a server that somebody else has started. */
export function openRemote(url: string, options: ConnectOptions, open: ClientBehaviour): AppServerClient {
  checkText("url", url);
  checkNumbers({ ...open, ...options });
  return AppServerClient.overWebSocket({
    ...open,
    ...options,
    url,
    secrets: new Set([options.token]),
    introduction: introduce(open, undefined),
  });
}

/** @throws CodexError CODEX_JS_SDK_CONFIG_INVALID */
export function createArguments(options: CodexOptions): string[] {
  return ["app-server", ...createClientConfig(options)];
}

function resolveCommand(options: CodexOptions) {
  const { executablePath, pathDirs, packageRoot } = resolveEngine(options);
  return { executablePath, packageRoot, env: createEnvironment(options, pathDirs) };
}

function introduce(open: ClientBehaviour, originator = "codex_sdk_ts"): Introduction {
  const { experimentalApi = true, optOutNotificationMethods, clientInfo } = open;
  return {
    // The header that tells the service which client it is has this name in it.
    clientInfo: { name: originator, title: null, version: manifest.version, ...clientInfo },
    experimentalApi,
    ...(optOutNotificationMethods && { optOutNotificationMethods }),
  };
}

function readVersion(packageRoot: string): string {
  return JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")).version;
}
