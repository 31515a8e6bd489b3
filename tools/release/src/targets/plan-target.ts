import { readStoredVersion } from "@codex-js/testkit/registry";
import { findKeptDir } from "../kept-dir.ts";
import type { PlanTarget } from "../plan/create-plan.ts";
import { rehearsalName, resolveStorageDir } from "./rehearsal.ts";

/**
 * What a plan alone looks into: the files of the rehearsal's registry, which is not started for it. A
 * registry that is not there yet has nothing, and none is made to find that out.
 * @throws ToolError CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE (usage)
 */
export async function openPlanTarget(registryDir: string): Promise<PlanTarget> {
  const isThere = await findKeptDir({ path: registryDir, flag: "--registry-dir" });
  const storageDir = resolveStorageDir(registryDir);
  return {
    name: rehearsalName,
    lookup: async (name, version) => {
      const integrity = isThere ? await readStoredVersion(storageDir, name, version) : undefined;
      return integrity === undefined ? undefined : { integrity };
    },
  };
}
