import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { startRegistry } from "@codex-js/testkit/registry";
import { publishWithNpm } from "./npm-cli.ts";
import { RegistryClient } from "./registry-client.ts";
import type { ReleaseTarget } from "./target.ts";

export interface RehearsalOptions {
  context: CliContext;
  /** Absolute; kept or not as the caller likes. What was published there before is there again. */
  registryDir: string;
  /** 0 for a free one. */
  port: number;
  /** Packages that come from this release only, never from the uplink. */
  packageNames: readonly string[];
}

export interface Rehearsal extends AsyncDisposable {
  target: ReleaseTarget;
  /** Absolute; caches of the smokes, beside the registry so that they live as long as it does. */
  cacheDir: string;
  /** What the user's own registry did not deliver, newest last; empty when all went well. */
  readUplinkFailures(): Promise<string[]>;
}

/**
 * The whole release on a registry inside this process. It passes on what it has not got from the registry
 * that the user's npm is configured with; nothing of ours ever leaves the machine.
 * @throws ToolError CODEX_JS_REGISTRY_PORT_TAKEN and the other errors of `startRegistry` (external)
 */
export async function openRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { context, registryDir } = options;
  const registry = await startRegistry({
    storageDir: join(registryDir, "storage"),
    localScopes: options.packageNames,
    port: options.port,
    env: context.env,
    signal: context.signal,
  });
  await hideFromGit(registryDir).catch(async (error: unknown) => {
    await registry.close();
    throw error;
  });
  const registryUrl = registry.url.replace(/\/$/, "");
  return {
    target: createRegistryTarget({
      name: rehearsalName,
      context,
      registryUrl,
      npmrc: registry.npmrc(),
      workDir: join(registryDir, "npm"),
    }),
    cacheDir: join(registryDir, "cache"),
    readUplinkFailures: async () =>
      (await registry.recentLog()).filter((line) => /uplink did not/.test(line)),
    [Symbol.asyncDispose]: () => registry.close(),
  };
}

/** A kept registry may lie in the clone, and is no part of what is released. */
async function hideFromGit(registryDir: string): Promise<void> {
  await writeFile(join(registryDir, ".gitignore"), "*\n", { flag: "wx" }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
}

export const rehearsalName = "rehearsal";

export interface RegistryTargetOptions {
  name: string;
  context: CliContext;
  /** Without a slash at its end. */
  registryUrl: string;
  npmrc: string;
  /** Absolute; for npm's configuration and cache. */
  workDir: string;
  /** Pauses between attempts in milliseconds. */
  delaysMs?: readonly number[];
}

/** A target that is one npm registry, read over HTTP and written by the npm CLI. */
export function createRegistryTarget(options: RegistryTargetOptions): ReleaseTarget {
  const client = new RegistryClient(options);
  return {
    name: options.name,
    registryUrl: options.registryUrl,
    lookup: (name, version) => client.lookup(name, version),
    readManifest: (name, version) => client.readManifest(name, version),
    download: (url) => client.download(url),
    publish: (upload) => publishWithNpm(options, upload),
  };
}
