import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, resolveUserPath } from "@codex-js/cli-kit";
import type { Finding } from "./finding.ts";

/** Where the repository keeps which V8 library is linked, and the variable that names another file. */
const repositoryLock = "tools/v8-prebuilt/v8.lock.json";
const variable = "CODEX_JS_V8_LOCK";

/** Says whether a lock file for V8, by its absolute path, is the one that the repository has. */
export type IsRepositoryLock = (lockPath: string) => Promise<boolean>;

/**
 * A release never links a V8 that the repository does not name, whatever the environment says. Nothing to find in
 * a repository that links none.
 * @param isRepositoryLock default: the very bytes of the repository's
 */
export async function checkV8Lock(
  root: string,
  { cwd, env }: Pick<CliContext, "cwd" | "env">,
  isRepositoryLock: IsRepositoryLock = createComparison(root),
): Promise<Finding[]> {
  const named = env[variable];
  if (!named || (await isRepositoryLock(resolveUserPath(cwd, variable, named)))) return [];
  return [
    {
      code: "CODEX_JS_RELEASE_V8_LOCK",
      subject: variable,
      message: `${named} is not the lock file for V8 that this commit has (${repositoryLock})`,
      hint: `unset ${variable}; a new V8 is a commit of its own`,
    },
  ];
}

function createComparison(root: string): IsRepositoryLock {
  return async (lockPath) => {
    const [named, own] = await Promise.all(
      [lockPath, join(root, repositoryLock)].map((path) => readFile(path).catch(() => undefined)),
    );
    return named !== undefined && own !== undefined && named.equals(own);
  };
}
