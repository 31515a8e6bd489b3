import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { startRegistry } from "@codex-js/testkit/registry";
import type { Venue } from "../venue.ts";
import { createRegistryTarget } from "./registry-target.ts";

export interface RehearsalOptions {
  context: CliContext;
  /** Absolute; kept or not as the caller likes. What was published there before is there again. */
  registryDir: string;
  /** 0 for a free one. */
  port: number;
  /** Packages that come from this release only, never from the uplink. */
  packageNames: readonly string[];
}

/** Its caches lie beside the registry, so that they live as long as it does. */
export interface Rehearsal extends Venue, AsyncDisposable {}

/** A registry of this process shows at once what it has; longer is a fault of its own. */
const visibilityTimeoutMs = 60_000;

/**
 * The whole release on a registry inside this process. It passes on what it has not got from the registry
 * that the user's npm is configured with; nothing of ours ever leaves the machine.
 * @throws ToolError CODEX_JS_REGISTRY_PORT_TAKEN and the other errors of `startRegistry` (external)
 */
export async function openRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { context, registryDir } = options;
  const registry = await startRegistry({
    storageDir: resolveStorageDir(registryDir),
    localScopes: options.packageNames,
    port: options.port,
    cwd: context.cwd,
    env: context.env,
    signal: context.signal,
  });
  const registryUrl = registry.url.replace(/\/$/, "");
  return {
    target: createRegistryTarget({
      name: rehearsalName,
      context,
      registryUrl,
      npmrc: registry.npmrc(),
      workDir: join(registryDir, "npm"),
      remedy: `run the same command again; if it stays so, remove ${registryDir}: a rehearsal publishes everything anew`,
    }),
    cacheDir: join(registryDir, "cache"),
    uplink: registry.uplinkRoute ?? "no registry",
    readUplinkFailures: () => registry.uplinkFailures(),
    visibilityTimeoutMs,
    [Symbol.asyncDispose]: () => registry.close(),
  };
}

export const rehearsalName = "rehearsal";

/** A registry for people. That of a rehearsal has another address each time, which nobody can use afterwards. */
export function describeRegistry(target: string, registryUrl: string): string {
  return target === rehearsalName ? "the rehearsal's registry" : registryUrl;
}

export function resolveStorageDir(registryDir: string): string {
  return join(registryDir, "storage");
}
