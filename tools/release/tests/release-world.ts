import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "@codex-js/testkit/fake-github";
import type { ExchangeHook } from "@codex-js/testkit/fault-plan";
import { type FaultProxy, type FaultRule, startFaultProxy } from "@codex-js/testkit/fault-proxy";
import { type Registry, startRegistry } from "@codex-js/testkit/registry";

/** Look like nothing in particular, so that only what knows them can blot them out. */
export const canaries = { npm: "canary-of-the-registry", github: "canary-of-the-releases" };

export interface WorldOptions {
  /** Absolute; of a registry of this world's own. */
  storageDir: string;
  /** Another one that runs already; its storage is emptied. */
  registry?: Registry | undefined;
  registryFaults?: readonly FaultRule[];
  github?: FakeGithubOptions;
  /** Called for the exchanges of both servers. */
  onExchange?: ExchangeHook;
}

/** A registry and a GitHub that a release can be made on, for as long as it is not disposed. */
export interface World extends AsyncDisposable {
  registry: Registry;
  /** In front of the registry: what the release sees. */
  proxy: FaultProxy;
  github: FakeGithub;
  /** Options of `pnpm release` for this world. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const hook = options.onExchange === undefined ? {} : { onExchange: options.onExchange };
  await using stack = new AsyncDisposableStack();
  if (options.registry !== undefined)
    rmSync(join(options.storageDir, "@fixture"), { recursive: true, force: true });
  const registry =
    options.registry ?? stack.use(await startRegistry({ storageDir: options.storageDir, uplink: null }));
  const proxy = stack.use(await startFaultProxy(registry.url, options.registryFaults ?? [], hook));
  const github = stack.use(
    await startFakeGithub({
      repository: { owner: "fixture", name: "fixture" },
      tokens: { [canaries.github]: "write" },
      ...options.github,
      ...hook,
    }),
  );
  const kept = stack.move();
  return {
    registry,
    proxy,
    github,
    args: ["--to", "npm", "--registry", proxy.url, "--github-api", github.apiUrl],
    env: {
      NODE_AUTH_TOKEN: canaries.npm,
      GITHUB_TOKEN: canaries.github,
      GITHUB_REPOSITORY: undefined,
      ACTIONS_ID_TOKEN_REQUEST_URL: undefined,
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface StoredMetadata {
  "dist-tags": Record<string, string>;
  versions: Record<string, { dist: { integrity: string } }>;
}

/** What the registry holds in the end: versions with their integrity, and dist-tags, by package. */
export function readRegistry(storageDir: string) {
  const scopeDir = join(storageDir, "@fixture");
  if (!existsSync(scopeDir)) return {};
  return Object.fromEntries(
    readdirSync(scopeDir)
      .sort()
      .map((name) => {
        const file = join(scopeDir, name, "package.json");
        const { versions, "dist-tags": distTags } = JSON.parse(readFileSync(file, "utf8")) as StoredMetadata;
        const integrities = Object.entries(versions).map(([version, { dist }]) => [version, dist.integrity]);
        return [`@fixture/${name}`, { versions: Object.fromEntries(integrities), distTags }];
      }),
  );
}
