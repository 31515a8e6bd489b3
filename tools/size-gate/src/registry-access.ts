import type { Uplink } from "@codex-js/testkit/registry";
import type { RegistryAccess } from "./types.ts";

/** The user's registry and those of single scopes, as the last releases are looked up there. */
export function toRegistryAccess({ url, token, basicAuth, scopes }: Uplink): RegistryAccess {
  const authorization = token === undefined ? basicAuth && `Basic ${basicAuth}` : `Bearer ${token}`;
  return {
    url,
    ...(authorization === undefined ? {} : { authorization }),
    ...(scopes === undefined
      ? {}
      : {
          scopes: Object.fromEntries(
            Object.entries(scopes).map(([scope, uplink]) => [scope, toRegistryAccess(uplink)]),
          ),
        }),
  };
}
