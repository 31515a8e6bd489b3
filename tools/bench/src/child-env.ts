import { pickUserEnv, withoutScriptPath } from "@codex-js/cli-kit";

/**
 * The environment of a measured program: nothing of the npm or pnpm that runs this process, of `NODE_OPTIONS`
 * or of any key, so that every side starts alike.
 */
export function createChildEnv(
  env: NodeJS.ProcessEnv,
  added: Record<string, string> = {},
): Record<string, string> {
  const picked = Object.entries(withoutScriptPath(pickUserEnv(env)));
  const present = picked.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(present), ...added };
}
