import { join } from "node:path";
import { type CliContext, withTempDir } from "@codex-js/cli-kit";
import { listPublicPackages } from "@codex-js/pack";
import { prepareKeptDir } from "./kept-dir.ts";
import type { ReleaseLayout } from "./layout.ts";
import { takeLock } from "./lock.ts";
import { openRehearsal, type Rehearsal } from "./targets/rehearsal.ts";

/**
 * `registryDir` is kept afterwards; without it the registry lives in a temp folder and dies with `use`.
 * @throws ToolError CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE (usage), CODEX_JS_RELEASE_LOCKED (external), and of `openRehearsal`
 */
export async function withRehearsal<Value>(
  context: CliContext,
  layout: ReleaseLayout,
  options: { registryDir: string | undefined; port: number },
  use: (rehearsal: Rehearsal) => Promise<Value>,
): Promise<Value> {
  const packageNames = (await listPublicPackages(layout.root)).map(({ name }) => name);
  const open = async (registryDir: string) => {
    await using rehearsal = await openRehearsal({ context, registryDir, port: options.port, packageNames });
    return await use(rehearsal);
  };
  const { registryDir } = options;
  if (registryDir === undefined) return withTempDir("codex-js-registry", open);
  await prepareKeptDir({ path: registryDir, flag: "--registry-dir" });
  // The out dir's own lock keeps releases of one clone apart; this folder may be shared by several.
  await using _lock = await takeLock(join(registryDir, "lock.json"), context.now(), "--registry-dir");
  return await open(registryDir);
}
