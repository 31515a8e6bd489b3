import { mkdir } from "node:fs/promises";
import { planRuntime } from "./runtime-plan.ts";
import { provideRuntime, type Runtime, type RuntimeStoreOptions } from "./runtime-store.ts";
import { selectRuntimes } from "./runtimes.ts";
import { findWorkspaceTools } from "./workspace-tools.ts";

/**
 * The runtime with this id of the table on this host, fetched unless the workspace or the cache has it.
 * @throws ToolError CODEX_JS_SMOKE_UNKNOWN_RUNTIME, CODEX_JS_SMOKE_NO_RUNTIME,
 * CODEX_JS_SMOKE_NOT_INSTALLED (usage), CODEX_JS_SMOKE_WRONG_RUNTIME (check failed), CODEX_JS_PROCESS_FAILED (external)
 */
export async function ensureRuntime(id: string, options: RuntimeStoreOptions): Promise<Runtime> {
  const [spec] = selectRuntimes([id]);
  const { platform, arch } = process;
  const plan = planRuntime(spec!, { platform, arch }, findWorkspaceTools(platform));
  await mkdir(options.cacheDir, { recursive: true });
  return provideRuntime(plan, options);
}
