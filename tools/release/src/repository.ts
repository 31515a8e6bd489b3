import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PackageManifest } from "@codex-js/pack";

/** Owner and name of a repository on GitHub. */
export interface RepositoryName {
  owner: string;
  name: string;
}

export async function readRootManifest(root: string): Promise<PackageManifest> {
  return JSON.parse(await readFile(join(root, "package.json"), "utf8")) as PackageManifest;
}

export function readRepositoryUrl({ repository }: Pick<PackageManifest, "repository">): string {
  return (typeof repository === "string" ? repository : repository?.url) ?? "";
}

/**
 * The repository that package.json names: releases and tags go there.
 * @throws ToolError CODEX_JS_RELEASE_REPOSITORY_FIELD (usage)
 */
export async function readRepositoryName(root: string): Promise<RepositoryName> {
  const url = readRepositoryUrl(await readRootManifest(root));
  const [, owner, name] =
    /^(?:git\+)?https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(url) ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  throw new ToolError({
    code: "CODEX_JS_RELEASE_REPOSITORY_FIELD",
    message: `${join(root, "package.json")}: repository.url is ${JSON.stringify(url)}, expected git+https://github.com/OWNER/NAME.git`,
    hint: "set it to the repository that is released from; npm and GitHub compare it",
    exitCode: exitCodes.usage,
  });
}
