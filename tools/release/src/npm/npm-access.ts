import { type CliContext, exitCodes, registerSecret, ToolError } from "@codex-js/cli-kit";
import { resolveUserRegistry } from "@codex-js/testkit/registry";
import { isSendableToken } from "../sendable-token.ts";
import { type CiIdentity, readCiIdentity } from "./ci-identity.ts";

/** Where to and as whom a release publishes. */
export interface NpmAccess {
  /** Without a slash at its end. */
  registryUrl: string;
  /** A token or password is configured. */
  hasCredentials: boolean;
  /** Value of the Authorization header; there when `hasCredentials` is true. */
  authorization?: string;
  /** What the CI says this process is; npm exchanges it for a token of its own. */
  identity?: CiIdentity;
  /** Text of the only npmrc that npm reads; no credential stands in it. */
  npmrc: string;
  /** What npm gets besides the usual environment. */
  npmEnv: NodeJS.ProcessEnv;
}

/** Where a token is looked for before the npmrc: actions/setup-node's name, and everybody else's. */
const tokenVariables = ["NODE_AUTH_TOKEN", "NPM_TOKEN"];
/** The npmrc refers to it, so that the credential is never on the disk. */
const credentialVariable = "CODEX_JS_NPM_CREDENTIAL";

/**
 * @param registryUrl undefined for the registry that npm is configured with for these packages
 * @throws ToolError CODEX_JS_RELEASE_NPM_AUTH (usage), and of `resolveUserRegistry`
 */
export async function resolveNpmAccess(
  context: CliContext,
  root: string,
  registryUrl: string | undefined,
  packageNames: readonly string[],
): Promise<NpmAccess> {
  const env = registryUrl === undefined ? context.env : withRegistry(context.env, registryUrl);
  const { scopes = {}, ...general } = await resolveUserRegistry({ cwd: root, env, signal: context.signal });
  const scope = packageNames[0]?.split("/", 1)[0] ?? "";
  const registry = registryUrl === undefined ? (scopes[scope] ?? general) : general;
  const token = readToken(context.env) ?? registry.token;
  if (token !== undefined) requireSendable(token);
  const credential = token ?? registry.basicAuth;
  const authorization = token === undefined ? `Basic ${registry.basicAuth}` : `Bearer ${token}`;
  const identity = readCiIdentity(context.env);
  const url = registry.url.replace(/\/*$/, "/");
  const setting = token === undefined ? "_auth" : "_authToken";
  return {
    registryUrl: url.slice(0, -1),
    hasCredentials: credential !== undefined,
    ...(credential === undefined ? {} : { authorization }),
    ...(identity === undefined ? {} : { identity }),
    npmrc: [
      `registry=${url}`,
      ...(credential === undefined
        ? []
        : [`${url.replace(/^https?:/, "")}:${setting}=\${${credentialVariable}}`]),
      "",
    ].join("\n"),
    npmEnv: {
      ...identity?.env,
      ...(credential === undefined ? {} : { [credentialVariable]: credential }),
    },
  };
}

function readToken(env: NodeJS.ProcessEnv): string | undefined {
  const tokens = tokenVariables.map((name) => env[name] ?? "").filter((token) => token !== "");
  for (const token of tokens) registerSecret(token);
  return tokens[0];
}

function requireSendable(token: string): void {
  if (isSendableToken(token)) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_NPM_AUTH",
    message:
      "the token for npm has characters that no HTTP header can carry, such as a space or a line break",
    hint: `give the token alone, in ${tokenVariables[0]}`,
    exitCode: exitCodes.usage,
  });
}

/** npm reads settings from the environment whatever case their names have. */
function withRegistry(env: NodeJS.ProcessEnv, registryUrl: string): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => name.toLowerCase() !== "npm_config_registry");
  return { ...Object.fromEntries(others), npm_config_registry: registryUrl };
}
