import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type CliContext, resolveUserPath } from "@codex-js/cli-kit";

/**
 * The folder that all checkouts of a user share: `CODEX_JS_CACHE`, else the place that the system has for
 * caches. An `XDG_CACHE_HOME` that is no absolute path does not count, as its specification says
 * (https://specifications.freedesktop.org/basedir-spec/latest/).
 */
export function resolveCacheRoot(
  { cwd, env }: Pick<CliContext, "cwd" | "env">,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.CODEX_JS_CACHE) return resolveUserPath(cwd, "CODEX_JS_CACHE", env.CODEX_JS_CACHE);
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, "codex-js");
  const home = env.HOME || env.USERPROFILE || homedir();
  switch (platform) {
    case "win32":
      return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "codex-js");
    case "darwin":
      return join(home, "Library", "Caches", "codex-js");
    default:
      return join(home, ".cache", "codex-js");
  }
}
