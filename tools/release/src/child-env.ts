import { pickUserEnv } from "@codex-js/cli-kit";

/** changesets and npm ask Node to keep compiled code in the temp folder; a release leaves nothing there. */
const noTraces = { NODE_DISABLE_COMPILE_CACHE: "1" };

/** What a child of the release starts with: the user's environment, turbo's remote cache, and `extra`. */
export function createChildEnv(env: NodeJS.ProcessEnv, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const turbo = Object.entries(env).filter(([name]) =>
    /^turbo_(token|team|teamid|api|remote_cache_\w+)$/i.test(name),
  );
  return { ...pickUserEnv(env), ...Object.fromEntries(turbo), ...noTraces, ...extra };
}
