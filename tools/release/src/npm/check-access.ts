import { type CliContext, registerSecret } from "@codex-js/cli-kit";
import { parseRegistryJson } from "../targets/packument.ts";
import type { NpmAccess } from "./npm-access.ts";

type Context = Pick<CliContext, "fetch" | "signal">;

/** `unknown`: the registry has no answer to the question. */
export type Answer = "yes" | "no" | "unknown";

/**
 * Whether the registry knows the token; many a registry other than npm's does not say.
 * @throws ToolError CODEX_JS_RELEASE_REGISTRY_FAILED (external) for an answer that is no registry's
 */
export async function checkCredentials(access: NpmAccess, { fetch, signal }: Context): Promise<Answer> {
  if (access.authorization === undefined) return "no";
  const url = `${access.registryUrl}/-/whoami`;
  const response = await fetch(url, { headers: { authorization: access.authorization }, signal }).catch(
    () => {
      signal.throwIfAborted();
      return undefined;
    },
  );
  if (response?.status === 401 || response?.status === 403) return "no";
  if (response?.ok !== true) return "unknown";
  const said = parseRegistryJson(url, new Uint8Array(await response.arrayBuffer()));
  const { username } = (said ?? {}) as { username?: unknown };
  return typeof username === "string" ? "yes" : "unknown";
}

/**
 * Whether the registry takes the CI's identity for this package: does what npm does before it publishes, because
 * npm itself says nothing of a refusal and then publishes as nobody, which ends in a 404.
 */
export async function checkTrustedPublisher(
  access: NpmAccess,
  packageName: string,
  context: Context,
): Promise<Answer> {
  const idToken = await fetchIdToken(access, context);
  if (idToken === undefined) return "unknown";
  registerSecret(idToken);
  const { fetch, signal } = context;
  const url = `${access.registryUrl}/-/npm/v1/oidc/token/exchange/package/${packageName.replace("/", "%2f")}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${idToken}` },
    signal,
  }).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
  if (response === undefined || response.status >= 500 || response.status === 429) return "unknown";
  if (!response.ok) return "no";
  const { token } = (await response.json().catch(() => ({}))) as { token?: unknown };
  if (typeof token !== "string") return "no";
  registerSecret(token);
  return "yes";
}

async function fetchIdToken(
  { identity, registryUrl }: NpmAccess,
  context: Context,
): Promise<string | undefined> {
  if (identity?.idToken !== undefined) return identity.idToken;
  if (identity?.request === undefined) return undefined;
  const url = new URL(identity.request.url);
  url.searchParams.append("audience", `npm:${new URL(registryUrl).hostname}`);
  const headers = { accept: "application/json", authorization: `Bearer ${identity.request.token}` };
  try {
    const response = await context.fetch(url, { headers, signal: context.signal });
    const { value } = (await response.json()) as { value?: unknown };
    return typeof value === "string" ? value : undefined;
  } catch {
    context.signal.throwIfAborted();
    return undefined;
  }
}
