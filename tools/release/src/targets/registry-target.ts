import type { CliContext } from "@codex-js/cli-kit";
import { publishWithNpm } from "./npm-cli.ts";
import { RegistryClient } from "./registry-client.ts";
import type { ReleaseTarget } from "./target.ts";

export interface RegistryTargetOptions {
  name: string;
  context: CliContext;
  /** Without a slash at its end. */
  registryUrl: string;
  npmrc: string;
  /** What npm gets besides the usual environment: the credentials that the npmrc refers to, the CI's identity. */
  npmEnv?: NodeJS.ProcessEnv;
  /** npm may prove who it is by the CI's identity, and then signs where the package comes from. */
  trusted?: boolean;
  /** Value of the Authorization header for reads. */
  authorization?: string;
  /** Absolute; for npm's configuration and cache. */
  workDir: string;
  /** As {@link ReleaseTarget.remedy}. */
  remedy: string;
  /** Pauses between attempts in milliseconds. */
  delaysMs?: readonly number[];
  /** Told about a pause that the registry asks for. */
  log?: (line: string) => void;
}

/** A target that is one npm registry, read over HTTP and written by the npm CLI. */
export function createRegistryTarget(options: RegistryTargetOptions): ReleaseTarget {
  const client = new RegistryClient(options);
  return {
    name: options.name,
    registryUrl: options.registryUrl,
    remedy: options.remedy,
    lookup: (name, version) => client.lookup(name, version),
    readPackage: (name) => client.readPackage(name),
    readDistTags: (name) => client.readDistTags(name),
    hasTarball: (url) => client.hasTarball(url),
    readManifest: (name, version) => client.readManifest(name, version),
    download: (url) => client.download(url),
    publish: (upload) => publishWithNpm(options, upload),
  };
}
