import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import { startFakeGithub } from "../fake-github/index.ts";
import { startFaultyRegistry } from "../registry/index.ts";
import type { ServerFaults } from "./read-fault-file.ts";

export interface ServersOptions {
  /** Absolute; both servers keep what they have in it. */
  stateDir: string;
  /** Packages that are never looked up at the user's registry. */
  localScopes: readonly string[];
  /** False: the registry has what is published to it and nothing else. */
  hasUplink: boolean;
  repository?: { owner: string; name: string };
  /** Commits that GitHub knows; default: whatever looks like one. */
  commits?: readonly string[];
  faults: ServerFaults;
  /** 0 for free ones. */
  registryPort: number;
  githubPort: number;
}

/** What a release is told, and what its end is held against. */
export interface ServersReport {
  version: 1;
  registryUrl: string;
  githubApiUrl: string;
  githubUploadUrl: string;
  /** Of the fake alone; it is worth nothing elsewhere. */
  githubToken: string;
  /** `owner/name`. */
  repository: string;
}

export interface Servers extends AsyncDisposable {
  report: ServersReport;
}

/**
 * Everything outside that a release talks to.
 * @throws ToolError of `startFaultyRegistry` and `startFakeGithub`
 */
export async function startServers(context: CliContext, options: ServersOptions): Promise<Servers> {
  const registry = await startFaultyRegistry({
    storageDir: join(options.stateDir, "registry"),
    ...(options.hasUplink ? {} : { uplink: null }),
    localScopes: options.localScopes,
    port: options.registryPort,
    faults: options.faults.registry,
    cwd: context.cwd,
    env: context.env,
  });
  try {
    const github = await startFakeGithub({
      stateDir: join(options.stateDir, "github"),
      ...(options.repository === undefined ? {} : { repository: options.repository }),
      ...(options.commits === undefined ? {} : { commits: options.commits }),
      port: options.githubPort,
      faults: options.faults.github,
      now: context.now,
    });
    const { owner, name } = github.repository;
    return {
      report: {
        version: 1,
        registryUrl: registry.url,
        githubApiUrl: github.apiUrl,
        githubUploadUrl: github.uploadUrl,
        githubToken: github.token,
        repository: `${owner}/${name}`,
      },
      [Symbol.asyncDispose]: async () => {
        await registry.close();
        await github.close();
      },
    };
  } catch (error) {
    await registry.close();
    throw error;
  }
}
