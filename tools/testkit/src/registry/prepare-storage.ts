import { randomUUID } from "node:crypto";
import { realpath, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { exitCodes, makeDir, ToolError } from "@codex-js/cli-kit";
import { repairStorage } from "./repair-storage.ts";
import { logFileName } from "./verdaccio-config.ts";

/**
 * Makes the folder ready for a registry and returns its real path.
 * @param localScopes patterns of names that the uplink never has
 * @throws ToolError CODEX_JS_REGISTRY_STORAGE_UNWRITABLE, CODEX_JS_REGISTRY_STORAGE_DAMAGED (external)
 */
export async function prepareStorage(
  storageDir: string,
  localScopes: readonly string[] = [],
): Promise<string> {
  const dir = resolve(storageDir);
  const probe = join(dir, `.write-test-${randomUUID()}`);
  try {
    await makeDir(dir);
    await writeFile(probe, "");
    await rm(probe);
    await writeFile(join(dir, logFileName), "");
    await repairStorage(dir, localScopes);
    return await realpath(dir);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw new ToolError({
      code: "CODEX_JS_REGISTRY_STORAGE_UNWRITABLE",
      message: `the registry's storage folder ${dir} cannot be used`,
      hint: "give it a folder that this user can write, on a disk with free space, or remove the folder",
      exitCode: exitCodes.external,
      cause,
    });
  }
}
